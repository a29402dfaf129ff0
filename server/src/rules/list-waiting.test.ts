import type { Resume } from '@mxproof/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  composeWaiting,
  type Group,
  groupOfDeferred,
  KEPT_GROUPS,
  mergeGroups,
  partOfNode,
  SHOWN_GROUPS,
} from './list-waiting.ts';

const group = (
  why: Group['why'],
  host: string | null,
  addresses: number,
  more: Partial<Group> = {},
): Group => ({
  ...{ why, host, provider: null, addresses, attempt: 1, nextAttemptAt: null },
  ...more,
});
const part = (groups: readonly Group[], checking = 0, others = 0) => ({ checking, others, groups });

test('one group for each why and host: the lowest attempt, the earliest time, the largest first', () => {
  expect(
    mergeGroups([
      group('timeout', 'mx.a', 2),
      group('greylisted', 'mx.a', 1, { attempt: 3, nextAttemptAt: 200 }),
      group('greylisted', 'mx.a', 2, { attempt: 2, nextAttemptAt: 100, provider: 'other' }),
      group('greylisted', 'mx.b', 2),
    ]),
  ).toEqual([
    group('greylisted', 'mx.a', 3, { attempt: 2, nextAttemptAt: 100, provider: 'other' }),
    group('greylisted', 'mx.b', 2),
    group('timeout', 'mx.a', 2),
  ]);
});

test('what no part speaks of is queued', () => {
  expect(composeWaiting(10, [part([group('timeout', 'mx.a', 2)], 3)])).toEqual({
    pending: 10,
    checking: 3,
    groups: [group('queued', null, 5), group('timeout', 'mx.a', 2)],
  });
});

test('what was answered since is taken from what was being asked, then from the queue, then from the rest', () => {
  const parts = [part([group('timeout', 'mx.a', 9), group('queued', 'mx.b', 2)], 3)];
  expect(composeWaiting(12, parts)).toMatchObject({ checking: 1 });
  expect(composeWaiting(10, parts)).toMatchObject({
    checking: 0,
    groups: [{ addresses: 9 }, { addresses: 1 }],
  });
  expect(composeWaiting(4, parts)).toEqual({
    pending: 4,
    checking: 0,
    groups: [group('timeout', 'mx.a', 4)],
  });
});

test('whatever the parts say, the numbers add up to what is pending', () => {
  const groups = fc.array(
    fc.record({
      why: fc.constantFrom('queued' as const, 'timeout' as const, 'greylisted' as const),
      host: fc.constantFrom(null, 'mx.a', 'mx.b', 'mx.c'),
      provider: fc.constant(null),
      addresses: fc.integer({ min: 1, max: 40 }),
      attempt: fc.integer({ min: 1, max: 5 }),
      nextAttemptAt: fc.option(fc.integer({ min: 1, max: 9 })),
    }),
    { maxLength: 8 },
  );
  const parts = fc.array(fc.record({ checking: fc.nat(30), others: fc.constant(0), groups }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(fc.nat(300), parts, (pending, all) => {
      const now = composeWaiting(pending, all);
      const sum = now.groups.reduce((total, { addresses }) => total + addresses, now.checking);
      expect(sum).toBe(pending);
      expect(now.groups.every(({ addresses }) => addresses > 0)).toBe(true);
    }),
  );
});

test('of many groups the largest are told; the others still count', () => {
  const many = Array.from({ length: KEPT_GROUPS + 7 }, (_, n) => ({
    ...{
      lot: 1,
      why: 'timeout' as const,
      host: `mx${n}`,
      provider: '',
      addresses: n === 3 ? 5 : 1,
      attempt: 1,
    },
    nextAttemptAtMs: null,
  }));
  const part = partOfNode(many, [], 2);
  expect([part.checking, part.groups.length, part.others]).toEqual([2, KEPT_GROUPS, 7]);
  const { groups, checking } = composeWaiting(KEPT_GROUPS + 7 + 4 + 2, [part]);
  expect([checking, groups.length, groups[0]!.host]).toEqual([2, SHOWN_GROUPS, 'mx3']);
  expect(groups.some(({ why }) => why === 'queued')).toBe(false);
});

const resume: Resume = { attempt: 2, source: null, mailFrom: '', firstAskedAtMs: 0, meaning: null };
test.each<[why: string, resume: Resume | undefined, nextAttemptAt: number | null]>([
  ['queued', undefined, null],
  ['network_down', undefined, 9],
  ['source_resting', { ...resume, meaning: 'blocked', detail: 'source_resting' }, 9],
  ['greylisted', { ...resume, meaning: 'greylisted' }, 9],
  ['mailbox_full', { ...resume, meaning: 'over_quota' }, 9],
  ['timeout', { ...resume, mute: true }, 9],
  ['timeout', { ...resume, mx: 'mx.a' }, 9],
  ['queued', resume, 9],
])('an address that left its job waits for: %s', (why, left, nextAttemptAt) => {
  expect(groupOfDeferred(left, nextAttemptAt)).toMatchObject({ why, attempt: left ? 3 : 1, nextAttemptAt });
});

test('an empty provider is none', () => {
  expect(groupOfDeferred({ ...resume, mx: 'mx.a', provider: '' }, null)).toMatchObject({
    host: 'mx.a',
    provider: null,
  });
});
