import type { ListWaiting, WaitingGroup } from '@mxproof/client';
import { expect, test } from 'vitest';
import { waitingOf } from './use-waiting.ts';

const group = (why: WaitingGroup['why'], host: string | null, addresses: number): WaitingGroup => ({
  ...{ why, host, provider: null, addresses, attempt: 2, next_attempt_at: null },
});
const part = (groups: WaitingGroup[], more: Partial<ListWaiting> = {}): ListWaiting => ({
  pending: groups.reduce((sum, { addresses }) => sum + addresses, 1),
  ...{ checking: 1, done_by: 100, waiting: groups },
  ...more,
});
const causes = (held: readonly { host: string | null; addresses: number }[]) =>
  held.map(({ host, addresses }) => [host, addresses]);

test('the parts of a list wait as one, and it is done when the last of them is', () => {
  const parts = [
    part([group('greylisted', 'mx.a', 2)]),
    part([group('greylisted', 'mx.a', 3), group('queued', null, 4)], { done_by: 200 }),
  ];
  const whole = waitingOf(parts, 11)!;
  expect(causes(whole.held)).toEqual([['mx.a', 5]]);
  expect(whole).toMatchObject({ others: 0, moving: 6, isQueued: true, doneBy: 200 });
});

test('a list that has come further since is not contradicted', () => {
  const parts = [part([group('timeout', 'mx.a', 5), group('blocked', 'mx.b', 2)])];
  expect(waitingOf(parts, 8)).toMatchObject({ moving: 1, isQueued: false });
  const fewer = waitingOf(parts, 6)!;
  expect(causes(fewer.held)).toEqual([
    ['mx.a', 5],
    ['mx.b', 1],
  ]);
  expect(fewer.moving).toBe(0);
});

test('small causes, and those that the service left out, are held up by something else', () => {
  const whys = ['timeout', 'blocked', 'temporary', 'budget', 'unclear', 'tls_failed'] as const;
  const groups = whys.map((why, at) => group(why, 'mx.a', 9 - at));
  const whole = waitingOf([part(groups, { pending: 60 })], 60)!;
  expect(whole.held).toHaveLength(5);
  // 59 wait: 35 of the five largest, 4 of the sixth, 20 untold.
  expect([whole.others, whole.moving]).toEqual([24, 1]);
});

test('what has ended waits for nothing', () => {
  expect(waitingOf([part([], { done_by: null })], 0)).toBeUndefined();
});

test('while no mail server can be reached, none is named for it', () => {
  const parts = [
    part([
      group('network_down', null, 5),
      group('connection_refused', 'mx.a', 2),
      group('blocked', 'mx.b', 1),
    ]),
  ];
  expect(waitingOf(parts, 9, true)!.held).toMatchObject([
    { why: 'network_down', host: null, addresses: 7 },
    { why: 'blocked', host: 'mx.b', addresses: 1 },
  ]);
});
