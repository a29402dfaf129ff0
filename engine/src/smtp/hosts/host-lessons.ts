// What the way a session ended teaches about its host: one table. Decides, touches nothing; learn-from-end.ts acts on it.
// Promise: every row that fits is learnt, in the order of the table; an end that no row fits teaches nothing.
//
//   open ──cannot connect, silent, garbage──▶ shut for a moment (silent twice in a row: for an hour) ──▶ open
//     ├──4xx before RCPT──▶ slower, and shut for a moment unless others of us are inside
//     ├──too slow to read──▶ shut for a moment (twice within an hour: for an hour) from every source
//     ├──5xx before RCPT──▶ shut for a moment (blocked: the source rests, source-breaker.ts)
//     └──421 while it is asked, as blocked──▶ counted, and at last the source rests
import type { Stage } from '../../types.ts';
import type { SessionEnd } from '../session/session-plan.ts';

type EndKind = SessionEnd['how'];
/** `asking`: from MAIL on. */
type Place = 'greeting' | 'ehlo' | 'starttls' | 'asking';

/** How a session ended, and what decides what that shows. */
export interface EndFacts {
  readonly how: EndKind;
  readonly at: Place;
  /** The reply that ended it. Of one before MAIL: refused for good, or for now; `other`: any other reply. */
  readonly reply: 'none' | 'other' | 'for_good' | 'for_now';
  /** The reply blocks us. */
  readonly isBlock: boolean;
  /** Of a reply before MAIL: it says that we come too often, or names how long to wait. */
  readonly isRate: boolean;
  readonly namesWait: boolean;
  /** Other sessions of ours are inside. */
  readonly hasInside: boolean;
  readonly pipelining: boolean;
  readonly tls: boolean;
  readonly heloOnly: boolean;
  readonly flights: number;
  /** Errors it had drawn before the end. */
  readonly errors: number;
  /** Its last answer was a refusal. */
  readonly endedRefused: boolean;
  /** It ends every session so, at the first error: nothing new. */
  readonly isKnown: boolean;
  /** The host is known to say goodbye. */
  readonly saysGoodbye: boolean;
}

/**
 * What is learnt. Of its silence: `heard`, `maybe_our_network`, `unresponsive`. Of how to talk to it: `no_tls`, `helo`,
 * `one_by_one`, `fewer_errors`. Of its pace: `connection_used_up`, `half_a_connection`, `comes_too_often`, `door_full`,
 * `slower`. That it is left alone: `down`, `broke_off` (when it does so too often), `too_slow`, `refuses`, `refuses_for_now`,
 * `blocks`, `blocks_for_now`.
 */
export type Lesson =
  | 'heard'
  | 'maybe_our_network'
  | 'unresponsive'
  | 'no_tls'
  | 'helo'
  | 'one_by_one'
  | 'fewer_errors'
  | 'connection_used_up'
  | 'half_a_connection'
  | 'comes_too_often'
  | 'door_full'
  | 'slower'
  | 'down'
  | 'broke_off'
  | 'too_slow'
  | 'refuses'
  | 'refuses_for_now'
  | 'blocks'
  | 'blocks_for_now';

type EndCondition = (ended: EndFacts) => boolean;

interface Row {
  readonly how: readonly EndKind[];
  /** Unset: anywhere. */
  readonly at?: readonly Place[];
  readonly when?: EndCondition;
  readonly lesson: Lesson;
}

/** 421 in the middle of the answers: the host limits recipients per connection. */
const isUsedUp: EndCondition = ({ how, endedRefused }) => how === 'refused' && !endedRefused;
/** Asked one by one it had all the time a server is given; of a flight a reply may have been lost. */
const isSilence: EndCondition = ({ how, pipelining }) => how === 'timeout' && !pipelining;
const isOdd: EndCondition = ({ reply }) => reply === 'none' || reply === 'other';

/** A greeting or EHLO was refused: that says nothing about a mailbox, and the next MX host may accept us. */
const turnedAway = (reply: 'for_good' | 'for_now', lesson: Lesson, when: EndCondition): Row => ({
  how: ['refused'],
  at: ['greeting', 'ehlo'],
  when: (ended) => ended.reply === reply && when(ended),
  lesson,
});

/** The connection dropped with recipients on it: the host is asked more slowly, or not at all. */
const brokeOff = (how: readonly EndKind[], lesson: Lesson, when: EndCondition): Row => ({
  how,
  at: ['asking'],
  when: (ended) => !ended.isKnown && when(ended),
  lesson,
});

/** Everything was answered, and nothing of it is sealed. */
const noGoodbye = (lesson: Lesson, when: EndCondition): Row => ({
  how: ['no_goodbye'],
  when: (ended) => !ended.isKnown && ended.flights > 0 && when(ended),
  lesson,
});

export const LESSONS: readonly Row[] = [
  // It spoke, or could not be reached at all: either ends a silence.
  { how: ['done', 'refused'], lesson: 'heard' },
  { how: ['unconnected'], lesson: 'maybe_our_network' },
  { how: ['unconnected'], lesson: 'down' },

  // A failure at STARTTLS or right after the handshake is blamed on TLS.
  { how: ['tls_failed'], lesson: 'no_tls' },
  { how: ['refused', 'dropped', 'timeout', 'protocol'], at: ['starttls'], lesson: 'no_tls' },
  { how: ['dropped', 'timeout', 'protocol'], at: ['ehlo'], when: ({ tls }) => tls, lesson: 'no_tls' },
  { how: ['refused'], at: ['ehlo'], when: (ended) => ended.tls && isOdd(ended), lesson: 'no_tls' },

  // No answer to EHLO, or no greeting.
  { how: ['dropped'], at: ['ehlo'], when: ({ tls, heloOnly }) => !tls && !heloOnly, lesson: 'helo' },
  { how: ['dropped'], at: ['ehlo'], when: ({ tls, heloOnly }) => !tls && heloOnly, lesson: 'down' },
  { how: ['protocol'], at: ['ehlo'], when: ({ tls }) => !tls, lesson: 'down' },
  { how: ['refused'], at: ['ehlo'], when: (ended) => !ended.tls && isOdd(ended), lesson: 'down' },
  { how: ['timeout'], at: ['ehlo'], when: ({ tls }) => !tls, lesson: 'unresponsive' },
  { how: ['dropped', 'protocol'], at: ['greeting'], lesson: 'down' },
  { how: ['refused'], at: ['greeting'], when: isOdd, lesson: 'down' },
  { how: ['timeout'], at: ['greeting'], lesson: 'unresponsive' },

  turnedAway('for_good', 'blocks', ({ isBlock }) => isBlock),
  turnedAway('for_good', 'refuses', ({ isBlock }) => !isBlock),
  turnedAway('for_now', 'blocks_for_now', ({ isBlock }) => isBlock),
  turnedAway('for_now', 'comes_too_often', ({ isRate }) => isRate),
  // One connection turned away while others are open: a limit on their number.
  turnedAway('for_now', 'door_full', ({ isRate, hasInside }) => !isRate && hasInside),
  turnedAway('for_now', 'slower', ({ isRate, hasInside }) => !isRate && !hasInside),
  turnedAway('for_now', 'slower', ({ isRate, namesWait }) => isRate && namesWait),
  turnedAway('for_now', 'refuses_for_now', ({ hasInside }) => !hasInside),

  // 421 in place of an answer, in words about us (Yahoo: "permanently deferred").
  { how: ['refused'], at: ['asking'], when: ({ isBlock }) => isBlock, lesson: 'blocks_for_now' },
  brokeOff(['timeout'], 'one_by_one', ({ pipelining }) => pipelining),
  brokeOff(['dropped'], 'one_by_one', ({ pipelining, flights }) => pipelining && flights === 1),
  brokeOff(['refused'], 'connection_used_up', isUsedUp),
  brokeOff(
    ['refused', 'dropped', 'timeout', 'protocol'],
    'half_a_connection',
    (ended) => !isUsedUp(ended) && ended.flights > 1,
  ),
  brokeOff(['refused', 'dropped', 'protocol'], 'fewer_errors', ({ errors }) => errors > 0),
  brokeOff(['timeout'], 'unresponsive', isSilence),
  brokeOff(['refused', 'dropped', 'timeout', 'protocol'], 'broke_off', (ended) => !isSilence(ended)),

  noGoodbye('fewer_errors', ({ reply, errors }) => reply !== 'none' && errors > 0),
  // Where the last session ended with 221, one missing 221 may be chance.
  noGoodbye('one_by_one', ({ pipelining, saysGoodbye }) => pipelining && !saysGoodbye),

  { how: ['out_of_step'], lesson: 'one_by_one' },
  { how: ['out_of_step'], when: ({ pipelining }) => !pipelining, lesson: 'down' },
  { how: ['too_slow'], lesson: 'too_slow' },
];

export function lessonsOf(ended: EndFacts): readonly Lesson[] {
  return LESSONS.filter((row) => fits(row, ended)).map(({ lesson }) => lesson);
}

export function fits({ how, at, when }: Row, ended: EndFacts): boolean {
  return how.includes(ended.how) && at?.includes(ended.at) !== false && when?.(ended) !== false;
}

export function placeOf(stage: Stage): Place {
  switch (stage) {
    case 'connect':
    case 'banner':
      return 'greeting';
    case 'ehlo':
    case 'starttls':
      return stage;
    case 'mail':
    case 'rcpt':
    case 'rset':
      return 'asking';
    default:
      return stage satisfies never;
  }
}
