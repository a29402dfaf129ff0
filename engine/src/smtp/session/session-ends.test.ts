import { expect, test } from 'vitest';
import type { Command } from '../../state/answer.ts';
import { areRepliesLost, goodbyeOf, stageOf, unexpectedEnd } from './session-ends.ts';
import type { SessionEnd } from './session-plan.ts';

test.each([
  ['flight', 'mail', 'mail'],
  ['flight', 'help', 'rset'],
  ['flight', undefined, 'rcpt'],
  ['helo', undefined, 'ehlo'],
  ['handshake', undefined, 'starttls'],
  // Only while it flies does a command say where the dialogue stands.
  ['quitting', 'mail', 'rset'],
] as const)('%s with %s next stands at %s', (state, kind, stage) => {
  expect(stageOf(state, kind === undefined ? undefined : ({ kind } as Command))).toBe(stage);
});

test.each([
  ['connecting', null, 'unconnected', 'EPIPE'],
  ['connecting', 'ECONNREFUSED', 'unconnected', 'ECONNREFUSED'],
  ['handshake', null, 'tls_failed', null],
  ['quitting', null, 'no_goodbye', null],
  ['flight', null, 'dropped', 'the server ended the line'],
  ['banner', 'ECONNRESET', 'dropped', 'ECONNRESET'],
] as const)('a connection that closes by itself while %s (%s)', (state, error, how, said) => {
  expect(unexpectedEnd(state, 'rset', error)).toEqual({ how, stage: 'rset', reply: null, error: said });
});

test.each([
  ['out_of_step', false, true],
  ['protocol', false, true],
  ['timeout', true, true],
  ['timeout', false, false],
  ['dropped', true, false],
  ['refused', true, false],
] as const)('after %s (pipelined: %s) no reply is known to be its own: %s', (how, pipelining, expected) => {
  expect(areRepliesLost({ how } as SessionEnd, pipelining)).toBe(expected);
});

test.each([
  // code, pipelined, flights, odd words before → how the session ends
  [221, true, 1, false, 'done'],
  [221, false, 1, false, 'done'],
  [421, true, 1, false, 'no_goodbye'],
  [250, true, 1, false, 'out_of_step'],
  [250, false, 1, false, null],
  [221, false, 1, true, 'out_of_step'],
  [250, true, 0, false, null],
  [221, true, 0, true, 'done'],
])('QUIT answered with %i (pipelined: %s, flights: %i, after other words: %s) ends as %s', (code, pipelining, flights, wasOdd, how) => {
  expect(goodbyeOf({ code, enhanced: null, lines: [''] }, { pipelining, flights }, wasOdd)).toBe(how);
});
