import type { ListWaiting, WaitingGroup } from '@mxproof/client';
import { expect, test } from 'vitest';
import { durationText, waitingSentence } from './list-waiting.ts';

const NOW = 1_000_000;
const group = (
  why: WaitingGroup['why'],
  host: string | null,
  addresses: number,
  next_attempt_at: number | null = null,
): WaitingGroup => ({ why, host, provider: null, addresses, attempt: 1, next_attempt_at });
const waiting = (pending: number, groups: WaitingGroup[], checking = 0): ListWaiting => ({
  ...{ pending, checking, done_by: NOW + 3_600, waiting: groups },
});

test('it reads as a sentence', () => {
  const groups = [
    group('rate_limited', 'mx.example.net', 6, NOW + 120),
    group('timeout', 'mx1.dead.example', 1),
    group('timeout', 'mx2.dead.example', 1),
  ];
  expect(waitingSentence(waiting(8, groups), 261, NOW)).toBe(
    '8 of 261 left: 6 at mx.example.net, which is asked at a slower pace, next attempt in 2 min; 2 at servers that do not answer.',
  );
});

test('what is asked now comes first, a time that is over is not told, and what is not about a server says so', () => {
  const groups = [
    group('queued', null, 40),
    group('greylisted', 'mx.grey.example', 2, NOW - 1),
    group('network_down', null, 1, NOW + 15),
  ];
  expect(waitingSentence(waiting(46, groups, 3), 50, NOW)).toBe(
    '46 of 50 left: 3 being checked now; 40 still queued; 2 at mx.grey.example, which asks first-time senders to try again later; 1 waiting until the network of this service recovers, next attempt in 15 s.',
  );
});

test('of many causes the largest are told, and no host moves the cursor', () => {
  const whys = [
    'timeout',
    'temporary',
    'blocked',
    'budget',
    'unclear',
    'tls_failed',
    'connection_lost',
  ] as const;
  const groups = whys.map((why, place) => group(why, `mx${place}.\u001b[2J`, 20 - place));
  const text = waitingSentence(waiting(119, groups), 200, NOW);
  expect(text).toMatch(/; 14 at other servers\.$/);
  expect(text).toContain('20 at mx0.�[2J, which does not answer; 19 at');
});

test.each([
  [0.2, '1 s'],
  [59.4, '59 s'],
  [60, '1 min'],
  [59.7, '1 min'],
  [3_599, '1 h'],
  [3_600, '1 h'],
  [13_800, '3 h 50 min'],
  [7_190, '2 h'],
])('%s seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
