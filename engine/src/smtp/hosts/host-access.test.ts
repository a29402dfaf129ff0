// Why a host is not asked, one cause after the other.

import { expect, test } from 'vitest';
import { CERTAINLY } from '../../../test/behalf.ts';
import { unknownMxHost } from '../../../test/mx-host.ts';
import { NO_PERMITS } from '../../../test/permits.ts';
import { backOff, connectRateExceeded, opened } from '../../pace/pace.ts';
import { NO_SHARED_LINES } from '../../state/transcript.ts';
import { accessOf, whyNotAsked } from './host-access.ts';
import type { MxHost } from './mx-host.ts';
import type { ShutKind, ShutPeriod } from './parts/host-availability.ts';
import { StrainedHosts } from './parts/strained-hosts.ts';
import { SourceBreaker } from './source-breaker.ts';

const NOW_MS = 1_000_000;
const SOURCE = { ip: null, heloName: 'p.example' };

const shut = (kind: ShutKind, detail: ShutPeriod['detail'], untilMs = NOW_MS + 60_000): ShutPeriod => ({
  kind,
  detail,
  atMs: NOW_MS - 100,
  untilMs,
  meaning: null,
  temporary: true,
  rule: '',
  connected: true,
  unresponsive: 'no',
  retryAfterMs: null,
  host: 'mx.example',
  tls: false,
  session: NO_SHARED_LINES,
});

type HostEvent = (mxHost: MxHost, breaker: SourceBreaker) => void;
const shutAs =
  (kind: ShutKind, detail: ShutPeriod['detail']): HostEvent =>
  ({ availability }) =>
    availability.shut(null, shut(kind, detail));

const RATE = { detail: 'rate_limited' } as const;
const MINUTE_MS = 60_000;

test.each<readonly [string, HostEvent, ReturnType<typeof whyNotAsked>]>([
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
    (mxHost, breaker) => breaker.refused(mxHost, 'mx.example', CERTAINLY, NOW_MS),
    { detail: 'source_resting', untilMs: NOW_MS + 15 * MINUTE_MS },
  ],
  ['paused', ({ pace }) => backOff(pace, NOW_MS), { ...RATE, untilMs: NOW_MS + 5_000 }],
  [
    'paused',
    (mxHost) => {
      const provider = unknownMxHost();
      backOff(provider.pace, NOW_MS);
      mxHost.shared = { ...provider, strained: new StrainedHosts({ areSeveral: false }) };
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
    'budget',
    (mxHost) => {
      mxHost.limits = { ...mxHost.limits, budgets: [{ key: 'provider google', perHour: 2, perDay: null }] };
    },
    // Only the answer of the store has to come.
    null,
  ],
  [
    'full',
    ({ pace }) => {
      pace.open = pace.allowed;
    },
    null,
  ],
])('%s', (kind, happens, why) => {
  const mxHost = unknownMxHost('192.0.2.1', { recipientsPerMinute: 100 });
  const breaker = new SourceBreaker(SOURCE, () => {}, NO_PERMITS);
  happens(mxHost, breaker);
  expect(accessOf(mxHost, { breaker, holder: '', hostName: 'mx.example' }, NOW_MS).kind).toBe(kind);
  expect(whyNotAsked(mxHost, breaker, NOW_MS, '')).toEqual(why);
});

test('a host that was connected to too often is asked when the minute has room again', () => {
  const mxHost = unknownMxHost();
  const breaker = new SourceBreaker(SOURCE, () => {}, NO_PERMITS);
  for (let i = 0; i < 3; i += 1) opened(mxHost.pace, NOW_MS - 1_000);
  connectRateExceeded(mxHost.pace, 0, NOW_MS);
  expect(accessOf(mxHost, { breaker, holder: '', hostName: 'mx.example' }, NOW_MS).kind).toBe('too_often');
  const why = whyNotAsked(mxHost, breaker, NOW_MS, '');
  expect(why?.detail).toBe('rate_limited');
  expect(whyNotAsked(mxHost, breaker, why?.untilMs ?? NOW_MS, '')).toBeNull();
});

test('what has ended keeps no recipient waiting, except those it was tried for', () => {
  const mxHost = unknownMxHost();
  const breaker = new SourceBreaker(SOURCE, () => {}, NO_PERMITS);
  mxHost.availability.shut(null, shut('unreachable', 'timeout', NOW_MS));
  const access = (sinceMs: number) =>
    accessOf(mxHost, { breaker, holder: '', hostName: 'mx.example', sinceMs }, NOW_MS).kind;
  expect(whyNotAsked(mxHost, breaker, NOW_MS, '')).toBeNull();
  expect([access(NOW_MS - 99), access(NOW_MS - 100)]).toEqual(['free', 'unreachable']);
});

test('looking changes nothing: a minute begins when a host is asked, not when it is looked at', () => {
  const mxHost = unknownMxHost('192.0.2.1', { recipientsPerMinute: 100 });
  mxHost.pace.minuteRecipients = 100;
  const before = structuredClone(mxHost.pace);
  expect(whyNotAsked(mxHost, new SourceBreaker(SOURCE, () => {}, NO_PERMITS), NOW_MS, '')).toBeNull();
  expect(mxHost.pace).toEqual(before);
});
