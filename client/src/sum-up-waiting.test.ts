import { expect, test } from 'vitest';
import { sumUpWaiting, type WaitingGroup } from './index.ts';

const group = (
  why: WaitingGroup['why'],
  host: string | null,
  addresses: number,
  next_attempt_at: number | null = null,
): WaitingGroup => ({ why, host, provider: null, addresses, attempt: 1, next_attempt_at });

test('large hosts are named, small ones are told together, the largest first', () => {
  expect(
    sumUpWaiting([
      group('timeout', 'mx.a', 1),
      group('timeout', 'mx.b', 1, 90),
      group('rate_limited', 'mx.big', 6, 100),
      group('rate_limited', 'mx.small', 1, 80),
      group('queued', null, 3),
    ]),
  ).toEqual([
    { why: 'rate_limited', host: 'mx.big', addresses: 6, nextAttemptAt: 100 },
    { why: 'queued', host: null, addresses: 3, nextAttemptAt: null },
    { why: 'timeout', host: null, addresses: 2, nextAttemptAt: 90 },
    { why: 'rate_limited', host: 'mx.small', addresses: 1, nextAttemptAt: 80 },
  ]);
});

test('a host that is told of twice, as by two lists of one file, is one', () => {
  expect(sumUpWaiting([group('greylisted', 'mx.a', 2, 70), group('greylisted', 'mx.a', 3, 60)])).toEqual([
    { why: 'greylisted', host: 'mx.a', addresses: 5, nextAttemptAt: 60 },
  ]);
});

test('what is queued is one, whatever its hosts', () => {
  expect(sumUpWaiting([group('queued', 'mx.a', 9, 70), group('queued', null, 3)])).toEqual([
    { why: 'queued', host: null, addresses: 12, nextAttemptAt: null },
  ]);
});

test('nothing waits', () => {
  expect(sumUpWaiting([])).toEqual([]);
});
