// Why a host is not asked, one cause after the other.
import { expect, test } from 'vitest';
import { unknownExchanger } from '../../../test/exchanger.ts';
import { cameTooOften, opened, troubled } from '../../pace/pace.ts';
import { NO_SHARED_LINES } from '../session/transcript.ts';
import type { Exchanger } from './exchanger.ts';
import { accessOf, whyNotAsked } from './host-access.ts';
import type { Shut, ShutKind } from './parts/host-door.ts';
import { SourceBreaker } from './source-breaker.ts';

const NOW_MS = 1_000_000;
const SOURCE = { ip: null, heloName: 'p.example' };

const shut = (kind: ShutKind, detail: Shut['detail'], untilMs = NOW_MS + 60_000): Shut => ({
  kind,
  detail,
  atMs: NOW_MS - 100,
  untilMs,
  meaning: null,
  temporary: true,
  rule: '',
  connected: true,
  mute: 'no',
  retryAfterMs: null,
  host: 'mx.example',
  tls: false,
  session: NO_SHARED_LINES,
});

type Happens = (exchanger: Exchanger, breaker: SourceBreaker) => void;
const shutAs =
  (kind: ShutKind, detail: Shut['detail']): Happens =>
  ({ door }) =>
    door.shut(null, shut(kind, detail));

const RATE = { detail: 'rate_limited' } as const;
const MINUTE_MS = 60_000;

test.each<readonly [string, Happens, ReturnType<typeof whyNotAsked>]>([
  ['free', () => {}, null],
  [
    'unreachable',
    shutAs('unreachable', 'connection_refused'),
    { detail: 'connection_refused', untilMs: NOW_MS + MINUTE_MS },
  ],
  ['unresponsive', shutAs('unresponsive', 'timeout'), { detail: 'timeout', untilMs: NOW_MS + MINUTE_MS }],
  ['broken', shutAs('broken', 'connection_lost'), { detail: 'connection_lost', untilMs: NOW_MS + MINUTE_MS }],
  ['slow_to_read', shutAs('slow_to_read', 'unclear'), { detail: 'unclear', untilMs: NOW_MS + MINUTE_MS }],
  ['refusing', shutAs('refusing', 'blocked'), { detail: 'blocked', untilMs: NOW_MS + MINUTE_MS }],
  ['busy', shutAs('busy', 'temporary'), { detail: 'temporary', untilMs: NOW_MS + MINUTE_MS }],
  [
    'source_resting',
    (exchanger, breaker) => breaker.refused(exchanger, 'mx.example', true, NOW_MS),
    { detail: 'source_resting', untilMs: NOW_MS + 15 * MINUTE_MS },
  ],
  ['paused', ({ pace }) => troubled(pace, NOW_MS), { ...RATE, untilMs: NOW_MS + 5_000 }],
  [
    'paused',
    (exchanger) => {
      const provider = unknownExchanger();
      troubled(provider.pace, NOW_MS);
      exchanger.shared = provider;
    },
    { ...RATE, untilMs: NOW_MS + 5_000 },
  ],
  [
    'minute_used_up',
    ({ pace }) => {
      pace.minuteStartMs = NOW_MS - 10_000;
      pace.minuteRecipients = 100;
    },
    { ...RATE, untilMs: NOW_MS + 50_000 },
  ],
  [
    'full',
    ({ pace }) => {
      pace.open = pace.allowed;
    },
    null,
  ],
])('%s', (kind, happens, why) => {
  const exchanger = unknownExchanger('192.0.2.1', { recipientsPerMinute: 100 });
  const breaker = new SourceBreaker(SOURCE, () => {});
  happens(exchanger, breaker);
  expect(accessOf(exchanger, { breaker, hostName: 'mx.example' }, NOW_MS).kind).toBe(kind);
  expect(whyNotAsked(exchanger, breaker, NOW_MS)).toEqual(why);
});

test('a host that was connected to too often is asked when the minute has room again', () => {
  const exchanger = unknownExchanger();
  const breaker = new SourceBreaker(SOURCE, () => {});
  for (let i = 0; i < 3; i += 1) opened(exchanger.pace, NOW_MS - 1_000);
  cameTooOften(exchanger.pace, 0, NOW_MS);
  expect(accessOf(exchanger, { breaker, hostName: 'mx.example' }, NOW_MS).kind).toBe('too_often');
  const why = whyNotAsked(exchanger, breaker, NOW_MS);
  expect(why?.detail).toBe('rate_limited');
  expect(whyNotAsked(exchanger, breaker, why?.untilMs ?? NOW_MS)).toBeNull();
});

test('what has ended keeps no recipient waiting, except those it was tried for', () => {
  const exchanger = unknownExchanger();
  const breaker = new SourceBreaker(SOURCE, () => {});
  exchanger.door.shut(null, shut('unreachable', 'timeout', NOW_MS));
  const access = (sinceMs: number) =>
    accessOf(exchanger, { breaker, hostName: 'mx.example', sinceMs }, NOW_MS).kind;
  expect(whyNotAsked(exchanger, breaker, NOW_MS)).toBeNull();
  expect([access(NOW_MS - 99), access(NOW_MS - 100)]).toEqual(['free', 'unreachable']);
});

test('looking changes nothing: a minute begins when a host is asked, not when it is looked at', () => {
  const exchanger = unknownExchanger('192.0.2.1', { recipientsPerMinute: 100 });
  exchanger.pace.minuteRecipients = 100;
  const before = structuredClone(exchanger.pace);
  expect(whyNotAsked(exchanger, new SourceBreaker(SOURCE, () => {}), NOW_MS)).toBeNull();
  expect(exchanger.pace).toEqual(before);
});
