import { expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../policy/default-policy.ts';
import { limitsFor } from '../../policy/policy.ts';
import type { Task } from '../../state/task.ts';
import { readReply } from '../../verdict/read-reply.ts';
import { createMxHost } from '../hosts/mx-host.ts';
import { Flight } from '../session/flight.ts';
import type { Session } from '../session/session.ts';
import { DEFAULT_TIMEOUTS } from '../session/session-plan.ts';
import { learnFromFlight } from './learn-from-flight.ts';
import { readFlight } from './read-flight.ts';

const LIMITS = limitsFor(DEFAULT_POLICY, 'mx.a.example', 'other');
const NOW_MS = 1_000_000;
const MAIL = '250 2.1.0 Ok';
const ACCEPTED = '250 2.1.5 Ok';
const UNKNOWN = '550 5.1.1 User unknown';
const TOO_FAST = '450 4.7.1 Rate limit exceeded';
const TOO_MANY = '452 4.5.3 Too many recipients';

function replyOf(text: string) {
  const line = text.slice(4);
  return {
    code: Number(text.slice(0, 3)),
    enhanced: /^\d\.\d\.\d/.exec(line)?.[0] ?? null,
    lines: [line],
    said: text,
  };
}

/** What a new MX host is known by after one flight with these replies, the MAIL's first. */
function afterFlight(...said: string[]) {
  return afterFlightOf('real', ...said);
}

function afterFlightOf(kind: Task['kind'], ...said: string[]) {
  const mxHost = createMxHost('192.0.2.1', 'other', LIMITS, null, DEFAULT_TIMEOUTS, { count: 1 });
  mxHost.silence.fell(null, { startedAtMs: 0, nowMs: NOW_MS, about: null, answersOthers: false });
  mxHost.greeting.hungUpOnEhlo();
  const flight = new Flight();
  const tasks = said.slice(1).map(
    (_, i) =>
      ({
        kind,
        holder: '1',
        address: { local: `u${i}`, domain: 'a.example', mailbox: `u${i}@a.example` },
      }) as Task,
  );
  flight.add('probe@p.example', tasks, 100);
  for (const text of said) flight.answer(replyOf(text), 1);
  const session = { tls: false, plan: { target: { source: null } } } as Session;
  learnFromFlight(mxHost, session, flight, readFlight(flight, 'other', true, readReply), NOW_MS);
  return mxHost;
}

test('an answer ends the silence of a host, and counts', () => {
  const { silence, answers, errors, senders } = afterFlight(MAIL, ACCEPTED, UNKNOWN);
  expect(silence.isSilent(null, NOW_MS)).toBe(false);
  expect(answers.count).toBe(2);
  expect(errors.refusalShare).toBeCloseTo(0.23);
  expect(senders.hasAccepted('probe@p.example')).toBe(true);
});

test('without an answer the silence goes on', () => {
  expect(afterFlight(MAIL, '421 4.3.2 closing').silence.isSilent(null, NOW_MS)).toBe(true);
});

test.each([
  ['one of three', [TOO_FAST, ACCEPTED, ACCEPTED], false],
  ['two of three', [TOO_FAST, TOO_FAST, ACCEPTED], false],
  ['three of four', [TOO_FAST, TOO_FAST, TOO_FAST, ACCEPTED], true],
  ['three of seven', [TOO_FAST, TOO_FAST, TOO_FAST, ACCEPTED, ACCEPTED, ACCEPTED, ACCEPTED], false],
])('a rate is learnt where most are deferred: %s', (_what, recipients, isLearnt) => {
  const { pace } = afterFlight(MAIL, ...recipients);
  expect(pace.recipientsPerMinute < Number.MAX_SAFE_INTEGER).toBe(isLearnt);
});

test('a transaction is known to be full by those it accepted, unless one was deferred for another reason', () => {
  expect(afterFlight(MAIL, ACCEPTED, ACCEPTED, TOO_MANY).pace.perTransaction).toBe(2);
  expect(afterFlight(MAIL, ACCEPTED, TOO_FAST, TOO_MANY).pace.perTransaction).toBe(
    LIMITS.recipientsPerTransaction,
  );
});

test.each([
  ['misplaced replies', [MAIL, '503 5.5.1 need MAIL', ACCEPTED], { mayPipeline: false, demandsTls: false }],
  [
    'a recipient refused for want of TLS',
    [MAIL, '530 5.7.0 Must issue a STARTTLS command first'],
    { mayPipeline: true, demandsTls: true },
  ],
])('%s', (_what, said, expected) => {
  const { replies, greeting } = afterFlight(...said);
  expect({ mayPipeline: replies.mayPipeline(NOW_MS), demandsTls: greeting.demandsTls }).toEqual(expected);
});

test.each<[string, Task['kind'], string[], number]>([
  ['each refusal', 'real', [UNKNOWN, '554 5.7.1 Relay access denied'], 2],
  ['only those since the last that was accepted', 'real', [UNKNOWN, UNKNOWN, ACCEPTED, UNKNOWN], 1],
  ['no deferral', 'real', [UNKNOWN, TOO_FAST, UNKNOWN], 2],
  ['no probe', 'catch_all', [UNKNOWN, UNKNOWN], 0],
])('refusals in a row: %s', (_what, kind, recipients, inARow) => {
  const { refusals, limits } = afterFlightOf(kind, MAIL, ...recipients);
  const isFrom = (refusalsInARow: number) => refusals.isRefusingAll({ ...limits, refusalsInARow });
  expect([1, 2, 3].filter(isFrom)).toHaveLength(inARow);
});
