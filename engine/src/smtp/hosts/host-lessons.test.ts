// Every row of the table by an end that it fits, with all that this end teaches.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EndFacts, fits, LESSONS, type Lesson, lessonsOf } from './host-lessons.ts';

const ENDED: EndFacts = {
  how: 'done',
  at: 'asking',
  reply: 'none',
  isBlock: false,
  isRate: false,
  namesWait: false,
  hasInside: false,
  pipelining: true,
  tls: false,
  heloOnly: false,
  flights: 1,
  errors: 0,
  endedRefused: false,
  isKnown: false,
  saysGoodbye: false,
};
const BANNER = { at: 'greeting' } as const;
const EHLO = { at: 'ehlo' } as const;
const TURNED_AWAY = { how: 'refused', ...BANNER } as const;

const EXAMPLES: readonly (readonly [string, Partial<EndFacts>, readonly Lesson[]])[] = [
  ['an ordinary end', {}, ['heard']],
  ['a connect that failed', { how: 'unconnected', ...BANNER }, ['maybe_our_network', 'down']],
  ['a failed handshake', { how: 'tls_failed', at: 'starttls' }, ['no_tls']],
  ['hung up at STARTTLS', { how: 'dropped', at: 'starttls' }, ['no_tls']],
  ['STARTTLS refused', { how: 'refused', at: 'starttls', reply: 'other' }, ['heard', 'no_tls']],
  ['silent after the handshake', { how: 'timeout', ...EHLO, tls: true }, ['no_tls']],
  [
    'EHLO answered oddly after the handshake',
    { how: 'refused', ...EHLO, tls: true, reply: 'other' },
    ['heard', 'no_tls'],
  ],
  ['hung up on EHLO', { how: 'dropped', ...EHLO }, ['helo']],
  ['hung up on HELO', { how: 'dropped', ...EHLO, heloOnly: true }, ['down']],
  ['garbage for EHLO', { how: 'protocol', ...EHLO }, ['down']],
  ['silent at EHLO', { how: 'timeout', ...EHLO }, ['unresponsive']],
  ['EHLO answered oddly', { how: 'refused', ...EHLO, reply: 'other' }, ['heard', 'down']],
  ['hung up without a greeting', { how: 'dropped', ...BANNER }, ['down']],
  ['silent without a greeting', { how: 'timeout', ...BANNER }, ['unresponsive']],
  ['an odd greeting', { ...TURNED_AWAY, reply: 'other' }, ['heard', 'down']],
  ['blocked', { ...TURNED_AWAY, reply: 'for_good', isBlock: true }, ['heard', 'blocks']],
  ['refused for good', { ...TURNED_AWAY, reply: 'for_good' }, ['heard', 'refuses']],
  [
    'refused for good inside TLS',
    { how: 'refused', ...EHLO, tls: true, reply: 'for_good' },
    ['heard', 'refuses'],
  ],
  ['refused for now', { ...TURNED_AWAY, reply: 'for_now' }, ['heard', 'slower', 'refuses_for_now']],
  [
    'blocked for now',
    { ...TURNED_AWAY, reply: 'for_now', isBlock: true },
    ['heard', 'blocks_for_now', 'slower', 'refuses_for_now'],
  ],
  [
    'blocked in place of an answer',
    { how: 'refused', reply: 'other', isBlock: true, endedRefused: true },
    ['heard', 'blocks_for_now', 'broke_off'],
  ],
  [
    'refused for now, others inside',
    { ...TURNED_AWAY, reply: 'for_now', hasInside: true },
    ['heard', 'door_full'],
  ],
  [
    'come too often',
    { ...TURNED_AWAY, reply: 'for_now', isRate: true },
    ['heard', 'comes_too_often', 'refuses_for_now'],
  ],
  [
    'come too often, others inside',
    { ...TURNED_AWAY, reply: 'for_now', isRate: true, hasInside: true },
    ['heard', 'comes_too_often'],
  ],
  [
    'come too often, and told how long to wait',
    { ...TURNED_AWAY, reply: 'for_now', isRate: true, namesWait: true, hasInside: true },
    ['heard', 'comes_too_often', 'slower'],
  ],
  ['a flight that fell silent', { how: 'timeout' }, ['one_by_one', 'broke_off']],
  [
    'a later flight that fell silent',
    { how: 'timeout', flights: 2 },
    ['one_by_one', 'half_a_connection', 'broke_off'],
  ],
  ['silent about one recipient', { how: 'timeout', pipelining: false }, ['unresponsive']],
  ['a first flight dropped', { how: 'dropped' }, ['one_by_one', 'broke_off']],
  ['a later flight dropped', { how: 'dropped', flights: 2 }, ['half_a_connection', 'broke_off']],
  ['dropped after an error', { how: 'dropped', errors: 1 }, ['one_by_one', 'fewer_errors', 'broke_off']],
  ['421 after answers', { how: 'refused', reply: 'other' }, ['heard', 'connection_used_up', 'broke_off']],
  [
    '421 after a refusal',
    { how: 'refused', reply: 'other', endedRefused: true, errors: 1 },
    ['heard', 'fewer_errors', 'broke_off'],
  ],
  ['hung up at the first error as always', { how: 'dropped', isKnown: true, errors: 1 }, []],
  ['no goodbye', { how: 'no_goodbye' }, ['one_by_one']],
  ['no goodbye, one by one', { how: 'no_goodbye', pipelining: false }, []],
  ['no goodbye, for once', { how: 'no_goodbye', saysGoodbye: true }, []],
  ['no goodbye, and nothing was asked', { how: 'no_goodbye', flights: 0 }, []],
  [
    '421 for a goodbye after an error',
    { how: 'no_goodbye', reply: 'other', errors: 1, saysGoodbye: true },
    ['fewer_errors'],
  ],
  ['replies out of step', { how: 'out_of_step' }, ['one_by_one']],
  ['replies out of step, one by one', { how: 'out_of_step', pipelining: false }, ['one_by_one', 'down']],
  ['too slow to read', { how: 'too_slow' }, ['too_slow']],
];

test.each(EXAMPLES)('%s', (_what, end, lessons) => {
  expect(lessonsOf({ ...ENDED, ...end })).toEqual(lessons);
});

describe('the table', () => {
  test('has no row that no end above fits', () => {
    const unused = LESSONS.filter((row) => !EXAMPLES.some(([, end]) => fits(row, { ...ENDED, ...end })));
    expect(unused).toEqual([]);
  });

  /** What leaves a host alone, or may. */
  const LEAVES: readonly Lesson[] = [
    ...(['unresponsive', 'down', 'broke_off', 'too_slow', 'refuses', 'refuses_for_now', 'blocks'] as const),
  ];

  test('leaves a host alone for one reason at a time, and teaches nothing twice', () => {
    fc.assert(
      fc.property(
        fc.record({
          how: fc.constantFrom(
            ...(['done', 'no_goodbye', 'refused', 'dropped', 'timeout', 'protocol', 'out_of_step'] as const),
            ...(['too_slow', 'unconnected', 'tls_failed'] as const),
          ),
          at: fc.constantFrom('greeting', 'ehlo', 'starttls', 'asking'),
          reply: fc.constantFrom('none', 'other', 'for_good', 'for_now'),
          isBlock: fc.boolean(),
          isRate: fc.boolean(),
          namesWait: fc.boolean(),
          hasInside: fc.boolean(),
          pipelining: fc.boolean(),
          tls: fc.boolean(),
          heloOnly: fc.boolean(),
          flights: fc.nat(3),
          errors: fc.nat(3),
          endedRefused: fc.boolean(),
          isKnown: fc.boolean(),
          saysGoodbye: fc.boolean(),
        }),
        (some) => {
          const lessons = lessonsOf({ ...ENDED, ...(some as Partial<EndFacts>) });
          expect(lessons.filter((lesson) => LEAVES.includes(lesson)).length).toBeLessThanOrEqual(1);
          expect(new Set(lessons).size).toBe(lessons.length);
        },
      ),
    );
  });
});
