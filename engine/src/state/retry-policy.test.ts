// What becomes of an answer: a busy mailbox is asked again like any other deferral, and is there once that is used up.
import { expect, test } from 'vitest';
import type { Meaning, Resume } from '../types.ts';
import { nextStep, type StepInput } from './retry-policy.ts';

const SCHEDULE = [60, 300];

function stepAfter(
  now: Meaning | null,
  before: Meaning | null,
  attempt: number,
  given: Partial<StepInput> = {},
) {
  const resume: Resume = { attempt, source: null, mailFrom: '', firstAskedAtMs: 0, meaning: before };
  const temporary = now !== 'accepted' && now !== 'no_mailbox' && now !== 'unclear';
  return nextStep({
    answer: {
      meaning: now,
      temporary,
      connected: true,
      unresponsive: 'no',
      counts: true,
      retryAfterMs: null,
      kind: 'reply',
    },
    resume: attempt === 0 ? undefined : resume,
    scheduleSeconds: SCHEDULE,
    single: false,
    isWaitedFor: false,
    last: false,
    catchAllMissing: false,
    probeHeldMs: null,
    unreachableWaitMs: null,
    ...given,
  });
}

test('a busy mailbox is asked again as the schedule says, and stands when that is used up', () => {
  expect(stepAfter('mailbox_busy', null, 0)).toMatchObject({ kind: 'later', mailbox: 'mailbox_busy' });
  expect(stepAfter('mailbox_busy', 'mailbox_busy', 1)).toMatchObject({ kind: 'later' });
  expect(stepAfter('mailbox_busy', 'mailbox_busy', 2)).toMatchObject({
    kind: 'final',
    mailbox: 'mailbox_busy',
    attempts: 3,
  });
});

test('what was accepted waits for a probe that a limit holds back, and uses up no attempt', () => {
  const held = { catchAllMissing: true, probeHeldMs: 1_800_000 };
  const accepted = (more: Partial<StepInput>) => stepAfter('accepted', null, 0, more);
  expect(accepted(held)).toMatchObject({ kind: 'later', delayMs: 1_800_000, attempts: 0 });
  expect(accepted({ ...held, last: true })).toMatchObject({ kind: 'final', mailbox: 'accepted' });
  expect(accepted({ catchAllMissing: true })).toMatchObject({ kind: 'later', attempts: 1 });
});

test('where there is no later, it stands at once', () => {
  expect(stepAfter('mailbox_busy', null, 0, { last: true })).toMatchObject({
    kind: 'final',
    mailbox: 'mailbox_busy',
  });
});

test.each(['accepted', 'no_mailbox', 'over_quota', 'unclear'] as const)('a later %s weighs more', (now) => {
  expect(stepAfter(now, 'mailbox_busy', 2)).toMatchObject({ kind: 'final', mailbox: now });
});

test.each([
  'temporary',
  'greylisted',
  'rate_limited',
  'too_many_recipients',
  'blocked',
  null,
] as const)('a later %s says nothing, and it stands', (now) => {
  expect(stepAfter(now, 'mailbox_busy', 2)).toMatchObject({ kind: 'final', mailbox: 'mailbox_busy' });
});

test.each(['accepted', 'over_quota'] as const)('it does not take back an earlier %s', (before) => {
  expect(stepAfter('mailbox_busy', before, 2)).toMatchObject({ kind: 'final', mailbox: before });
});
