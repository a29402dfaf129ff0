// A lane as numbers, and whether another session is worth its opening.
import { expect, test } from 'vitest';
import type { SessionState } from '../session/session-plan.ts';
import { wantsSession } from './wants-session.ts';

const STUCK_SINCE_MS = 1_000;
/** Refusals a session may draw: a full flight. */
const REFUSALS = 10;

interface Lane {
  readonly queued?: number;
  readonly singles?: number;
  readonly alone?: number;
  /** States; `alone:` for a session of its own, `stuck` for a connect that is not answered. */
  readonly sessions?: readonly string[];
}

function wants({ queued = 0, singles = 0, alone = 0, sessions = [] }: Lane): boolean {
  const all = sessions.map((words) => {
    const state = words.replace('alone:', '');
    const isStuck = state === 'stuck';
    const session = {
      state: (isStuck ? 'connecting' : state) as SessionState,
      startedAtMs: isStuck ? STUCK_SINCE_MS : STUCK_SINCE_MS + 1,
    };
    return [session, { alone: words.startsWith('alone:') }] as const;
  });
  return wantsSession({
    sessions: new Map(all),
    queue: { size: queued, singles },
    alone: { size: alone },
    refusals: REFUSALS,
    stuckSinceMs: STUCK_SINCE_MS,
  });
}

test.each<[string, Lane, boolean]>([
  ['nothing waits: none', {}, false],
  ['one recipient: the first', { queued: 1 }, true],
  ['a few are not worth a second', { queued: 28, sessions: ['flight'] }, false],
  ['of many, each finds a full flight', { queued: 29, sessions: ['flight', 'flight'] }, true],
  ['and not more than that', { queued: 29, sessions: ['flight', 'flight', 'connecting'] }, false],
  ['one that says goodbye asks nothing more', { queued: 1, sessions: ['quitting'] }, true],
  ['nor does one that is closed', { queued: 1, sessions: ['closed'] }, true],
  ['an idle one will ask', { queued: 1, sessions: ['idle'] }, false],
  ['a connect that is not answered is not counted on', { queued: 1, sessions: ['stuck'] }, true],
  ['a younger one is', { queued: 1, sessions: ['connecting'] }, false],
  ['a single check does not wait for a flight', { queued: 1, singles: 1, sessions: ['flight'] }, true],
  ['but for a session that opens', { queued: 1, singles: 1, sessions: ['flight', 'ehlo'] }, false],
  ['what is asked alone gets a session beside others', { alone: 1, sessions: ['flight'] }, true],
  ['one at a time', { alone: 2, sessions: ['alone:flight'] }, false],
  ['also when that one is stuck', { alone: 1, sessions: ['alone:stuck'] }, true],
  ['a session of its own asks nothing for others', { queued: 1, sessions: ['alone:flight'] }, true],
])('%s', (_, lane, wanted) => {
  expect(wants(lane)).toBe(wanted);
});
