// A host's bad moments, one session after the other, and what is known of it then.

import { expect, test } from 'vitest';
import { ANYONE } from '../../../test/behalf.ts';
import { egressOf, NO_PERMITS } from '../../../test/permits.ts';
import { DEFAULT_POLICY } from '../../policy/default-policy.ts';
import { limitsFor } from '../../policy/policy.ts';
import type { Task } from '../../state/task.ts';
import type { Stage } from '../../types.ts';
import { readReply } from '../../verdict/read-reply.ts';
import { Flight } from '../session/flight.ts';
import type { Session } from '../session/session.ts';
import { DEFAULT_TIMEOUTS, type SessionEnd } from '../session/session-plan.ts';
import { learnFromEnd } from './learn-from-end.ts';
import { createMxHost } from './mx-host.ts';
import { SourceBreaker } from './source-breaker.ts';

const LIMITS = limitsFor(DEFAULT_POLICY, 'mx.a.example', 'other');
const DOWN_MS = 60_000;
const HOUR_MS = 3_600_000;
const SOURCE = { ip: null, heloName: 'p.example' };

interface EndedSession
  extends Partial<Pick<Session, 'pipelining' | 'tls' | 'flights' | 'refusals' | 'recipients'>> {
  readonly how: SessionEnd['how'];
  readonly stage: Stage;
  readonly said?: string;
  readonly hasOther?: boolean;
}

function host() {
  const mxHost = createMxHost('192.0.2.1', 'other', LIMITS, null, DEFAULT_TIMEOUTS, { count: 1 });
  const breaker = new SourceBreaker(SOURCE, () => {}, NO_PERMITS);
  const egress = egressOf([SOURCE]);
  let nowMs = 1_000_000;
  const ended = ({ how, stage, said, hasOther = false, ...seen }: EndedSession) => {
    const startedAtMs = nowMs;
    nowMs += 1_000;
    const reply =
      said === undefined
        ? null
        : {
            code: Number(said.slice(0, 3)),
            enhanced: /\d\.\d\.\d/.exec(said)?.[0] ?? null,
            lines: [said.slice(4)],
          };
    const plan = { target: { hostName: 'mx.a.example' }, timeouts: DEFAULT_TIMEOUTS, heloOnly: false };
    const session = {
      plan,
      startedAtMs,
      pipelining: true,
      tls: false,
      spoke: true,
      flights: 1,
      refusals: 0,
      recipients: 10,
      readyAfterMs: 0,
      ...seen,
    } as unknown as Session;
    learnFromEnd(
      { mxHost, session, breaker, egress, nowMs, downMs: DOWN_MS, readReply, hasOther, behalf: ANYONE },
      { how, stage, reply, error: null },
    );
  };
  /** A flight whose only recipient was refused has landed. */
  const refusedOne = () => {
    const flight = new Flight();
    flight.add('', [{ address: { mailbox: 'anna@a.example' } } as Task], 1);
    for (const code of [250, 550]) flight.answer({ code, enhanced: null, lines: [''] }, 1);
    mxHost.answers.landed(flight, 1, nowMs);
  };
  const shut = () =>
    mxHost.availability.shutFor(null, nowMs) ?? breaker.shutFor(mxHost, 'mx.a.example', ANYONE, nowMs);
  return {
    mxHost,
    breaker,
    ended,
    refusedOne,
    shut,
    shutForMs: () => (shut()?.untilMs ?? nowMs) - nowMs,
    now: () => nowMs,
  };
}

test.each<[string, EndedSession, number]>([
  ['a connect that failed', { how: 'unconnected', stage: 'connect' }, DOWN_MS],
  ['garbage for a banner', { how: 'protocol', stage: 'banner' }, DOWN_MS],
  ['4xx for a banner', { how: 'refused', stage: 'banner', said: '421 4.3.2 busy' }, DOWN_MS],
  ['5xx for a banner', { how: 'refused', stage: 'banner', said: '550 5.3.0 configuration error' }, DOWN_MS],
  ['5.7.1 without words for a banner', { how: 'refused', stage: 'banner', said: '554 5.7.1 no' }, DOWN_MS],
  [
    'a block',
    { how: 'refused', stage: 'banner', said: '554 5.7.1 [192.0.2.9] blocked using zen.spamhaus.org' },
    15 * 60_000,
  ],
  ['one session broken off', { how: 'dropped', stage: 'rcpt' }, 0],
  ['one hang-up on EHLO', { how: 'dropped', stage: 'ehlo' }, 0],
  ['a failed handshake', { how: 'tls_failed', stage: 'starttls' }, 0],
  ['an ordinary end', { how: 'done', stage: 'rset' }, 0],
])('after %s a host is left alone for so long', (_what, end, forMs) => {
  const known = host();
  known.ended(end);
  expect(known.shutForMs()).toBe(forMs);
});

test('a host turned away for its number pauses newcomers and is not shut while sessions are inside', () => {
  const known = host();
  known.mxHost.availability.entered();
  known.ended({ how: 'refused', stage: 'banner', said: '421 4.3.2 too many connections' });
  const { pace, availability } = known.mxHost;
  expect(known.shut()).toBeNull();
  expect(pace.ceiling).toBe(1);
  expect(pace.pausedUntilMs).toBeGreaterThan(known.now());
  expect(availability.pausesOnlyNewcomers(pace.pausedUntilMs)).toBe(true);
});

test('one that was answering before is busy, not broken: worth waiting for', () => {
  const known = host();
  const busy = { how: 'refused', stage: 'banner', said: '421 4.3.2 busy' } as const;
  known.ended(busy);
  expect(known.shut()).toMatchObject({ temporary: true, kind: 'refusing' });
  known.refusedOne();
  known.ended(busy);
  expect(known.shut()).toMatchObject({ temporary: true, kind: 'busy' });
});

test('a block is held against the source address', () => {
  const known = host();
  known.ended({
    how: 'refused',
    stage: 'ehlo',
    said: '554 5.7.1 [192.0.2.9] blocked using zen.spamhaus.org',
  });
  expect(known.breaker.isResting(known.mxHost, known.now())).toBe(true);
  // Those it was met by have their answer; those who come later are asked later.
  expect(known.mxHost.availability.shutFor(null, known.now(), known.now())).toMatchObject({
    temporary: false,
  });
  expect(known.shut()).toMatchObject({ meaning: 'blocked', temporary: true });
});

test('a host that defers us as blocked is left alone after the third time', () => {
  const known = host();
  const said = '421 4.7.0 [TSS04] Messages from 192.0.2.9 temporarily deferred due to user complaints';
  for (const isResting of [false, false, true]) {
    known.ended({ how: 'refused', stage: 'banner', said });
    expect(known.breaker.isResting(known.mxHost, known.now())).toBe(isResting);
  }
});

test('silence once is a chance, a third time it is believed for an hour', () => {
  const known = host();
  const silent = { how: 'timeout', stage: 'banner' } as const;
  known.ended(silent);
  expect(known.shut()).toMatchObject({ unresponsive: 'once' });
  known.ended(silent);
  known.ended(silent);
  expect(known.shut()).toMatchObject({ unresponsive: 'believed' });
  expect(known.shutForMs()).toBe(HOUR_MS);
});

test('a failed connect ends a silence: it may have been our own network', () => {
  const known = host();
  known.ended({ how: 'timeout', stage: 'banner' });
  known.ended({ how: 'unconnected', stage: 'connect' });
  expect(known.mxHost.silence.isSilent(null, known.now())).toBe(false);
});

test.each<[string, EndedSession[], Partial<Record<'mayPipeline' | 'mayTls' | 'heloOnly', boolean>>]>([
  ['replies out of step', [{ how: 'out_of_step', stage: 'rset' }], { mayPipeline: false }],
  ['a flight that fell silent', [{ how: 'timeout', stage: 'rcpt' }], { mayPipeline: false }],
  ['a first flight dropped', [{ how: 'dropped', stage: 'rcpt' }], { mayPipeline: false }],
  ['a later flight dropped', [{ how: 'dropped', stage: 'rcpt', flights: 2 }], {}],
  [
    'no goodbye from a host that never said one',
    [{ how: 'no_goodbye', stage: 'rset' }],
    { mayPipeline: false },
  ],
  ['a failed handshake', [{ how: 'tls_failed', stage: 'starttls' }], { mayTls: false }],
  [
    'a connection dropped at EHLO inside TLS',
    [{ how: 'dropped', stage: 'ehlo', tls: true }],
    { mayTls: false },
  ],
  ['EHLO hung up on once', [{ how: 'dropped', stage: 'ehlo' }], {}],
  [
    'EHLO hung up on twice',
    [
      { how: 'dropped', stage: 'ehlo' },
      { how: 'dropped', stage: 'ehlo' },
    ],
    { heloOnly: true },
  ],
])('after %s the next session is careful about it', (_what, ends, changed) => {
  const known = host();
  for (const end of ends) known.ended(end);
  const { replies, greeting } = known.mxHost;
  const next = {
    mayPipeline: replies.mayPipeline(known.now()),
    mayTls: greeting.mayTls(known.now()),
    heloOnly: greeting.heloOnly,
  };
  expect(next).toEqual({ mayPipeline: true, mayTls: true, heloOnly: false, ...changed });
});

test('a goodbye missed once by a host that said one before is chance', () => {
  const known = host();
  known.mxHost.replies.saidGoodbye();
  known.ended({ how: 'no_goodbye', stage: 'rset' });
  expect(known.mxHost.replies.mayPipeline(known.now())).toBe(true);
});

test('a host that hangs up after errors is asked for one less', () => {
  const known = host();
  known.ended({ how: 'dropped', stage: 'rcpt', refusals: 5 });
  expect(known.mxHost.errors.perSession(known.now())).toBe(4);
});

test('a 421 that says why at the first error is believed at once, and the next such end is nothing new', () => {
  const known = host();
  const ends = { how: 'refused', stage: 'rcpt', said: '421 4.7.0 too many errors', refusals: 2 } as const;
  known.refusedOne();
  known.ended(ends);
  expect(known.mxHost.errors.endsAtFirst(known.now())).toBe(true);
  for (let i = 0; i < 5; i += 1) known.ended(ends);
  expect(known.shut()).toBeNull();
});

test('421 after some answers shows what a connection takes, three barren sessions in a row shut the host', () => {
  const known = host();
  const ends = {
    how: 'refused',
    stage: 'rcpt',
    said: '421 4.3.2 closing',
    refusals: 1,
    recipients: 7,
  } as const;
  known.ended(ends);
  expect(known.mxHost.pace.perConnection).toBe(7);
  known.ended(ends);
  expect(known.shut()).toBeNull();
  known.ended(ends);
  expect(known.shut()).toMatchObject({ unresponsive: 'no', temporary: true });
});
