import { expect, test } from 'vitest';
import { NO_PERMITS } from '../../../test/permits.ts';
import type { LogEvent } from '../../types.ts';
import { Breaker } from './breaker.ts';
import { SourceBreaker } from './source-breaker.ts';

const HOUR_MS = 3_600_000;
const CERTAIN = true;

function refuserAt(ip: string, provider = 'other') {
  return { ip, provider, shared: provider === 'other' ? null : {} };
}

/** Each host has a domain of its own, and one payer asks. */
const of = ({ ip }: { readonly ip: string }) => ({ payer: '1', domain: `${ip}.example` });

function watched() {
  const log: LogEvent[] = [];
  const breaker = new SourceBreaker(
    { ip: '192.0.2.9', heloName: 'p.example' },
    (event) => log.push(event),
    NO_PERMITS,
  );
  const refused = (at: ReturnType<typeof refuserAt>, isCertain: boolean, nowMs: number) =>
    breaker.refused(at, 'mx.a.example', { ...of(at), isToAll: isCertain, isCertain }, nowMs);
  const answered = (at: ReturnType<typeof refuserAt>, nowMs: number) =>
    breaker.answered(at, 'mx.a.example', of(at), nowMs);
  return { breaker, log, refused, answered };
}

test('a host is left alone after three refusals in a row, or one session turned away in plain words', () => {
  const { refused, answered } = watched();
  const host = refuserAt('192.0.2.1');
  expect([refused(host, false, 0), refused(host, false, 0)]).toEqual([false, false]);
  answered(host, 1);
  expect([1, 2, 3].map(() => refused(host, false, 2))).toEqual([false, false, true]);
  expect(refused(refuserAt('192.0.2.2'), CERTAIN, 0)).toBe(true);
});

test('a provider is left alone after three of its hosts in a row', () => {
  const { breaker, refused, answered } = watched();
  const host = (last: number) => refuserAt(`192.0.2.${last}`, 'microsoft');
  refused(host(1), CERTAIN, 0);
  refused(host(2), CERTAIN, 0);
  answered(host(3), 1);
  refused(host(4), CERTAIN, 2);
  refused(host(4), CERTAIN, 2);
  refused(host(5), CERTAIN, 2);
  expect(breaker.isResting(host(9), 3)).toBe(false);
  refused(host(6), CERTAIN, 3);
  expect(breaker.isResting(host(9), 4)).toBe(true);
  expect(breaker.shutFor(host(9), 'mx9.a.example', null, 4)).toMatchObject({
    temporary: true,
    meaning: 'blocked',
    host: 'mx9.a.example',
    rule: 'source: this source is resting at microsoft after being refused 4 times',
  });
  expect(breaker.isResting(refuserAt('192.0.2.9', 'google'), 4)).toBe(false);
});

test('an answer to what was asked before a rest does not end it; an answer to the trial does', () => {
  const { breaker, refused, answered } = watched();
  const host = refuserAt('192.0.2.1');
  refused(host, CERTAIN, 0);
  answered(host, 1);
  expect(breaker.isResting(host, 2)).toBe(true);
  breaker.began(host, of(host), HOUR_MS);
  expect(breaker.shutFor(host, 'mx.a.example', null, HOUR_MS)).not.toBeNull();
  answered(host, HOUR_MS);
  expect(breaker.shutFor(host, 'mx.a.example', null, HOUR_MS)).toBeNull();
});

test('the operator is told once when it begins and once when it is over, and of ten hosts an hour at most', () => {
  const { breaker, log, refused, answered } = watched();
  const host = refuserAt('192.0.2.1');
  refused(host, CERTAIN, 0);
  refused(host, CERTAIN, 1);
  breaker.began(host, of(host), HOUR_MS);
  refused(host, CERTAIN, HOUR_MS);
  breaker.began(host, of(host), 3 * HOUR_MS);
  answered(host, 3 * HOUR_MS);
  expect(log).toEqual([
    {
      level: 'warn',
      event: 'source_blocked',
      text:
        'mx.a.example (192.0.2.1) has blocked 192.0.2.9 (refused once): not contacted from there until 1970-01-01 00:15 UTC, ' +
        'then tried with one connection. Check the listing at https://check.spamhaus.org/ and with the operator of that server',
    },
    { level: 'info', event: 'source_unblocked', text: 'mx.a.example (192.0.2.1) answers 192.0.2.9 again' },
  ]);
  for (let i = 0; i < 30; i += 1) refused(refuserAt(`198.51.100.${i}`), CERTAIN, 3 * HOUR_MS);
  expect(log).toHaveLength(2 + 10);
  refused(refuserAt('198.51.100.99'), CERTAIN, 5 * HOUR_MS);
  expect(log).toHaveLength(2 + 11);
});

test('under the pressure of other hosts the longest rests are kept, and providers always', () => {
  const { breaker, refused } = watched();
  const host = refuserAt('192.0.2.1');
  const nowMs = 20 * 60_000;
  refused(host, CERTAIN, 0);
  breaker.began(host, of(host), nowMs);
  refused(host, CERTAIN, nowMs);
  const google = (last: number) => refuserAt(`192.0.2.${last}`, 'google');
  for (const last of [10, 11, 12]) refused(google(last), CERTAIN, 0);
  for (let i = 0; i < 20_000; i += 1) refused(refuserAt(`10.0.${i >> 8}.${i & 255}`), CERTAIN, 1);
  expect(breaker.isResting(host, nowMs + 1)).toBe(true);
  expect(breaker.isResting(google(99), 2)).toBe(true);
});

const MINUTE_MS = 60_000;
const ENOUGH = true;

/** Minutes that each rest lasts, one trial after the other refused. */
function restsMinutes(count: number): number[] {
  const breaker = new Breaker();
  let nowMs = 0;
  return Array.from({ length: count }, () => {
    breaker.began(nowMs);
    breaker.refused(ENOUGH, nowMs);
    const minutes = (breaker.untilMs - nowMs) / MINUTE_MS;
    nowMs = breaker.untilMs;
    return minutes;
  });
}

test('each rest is twice as long as the one before, up to four hours', () => {
  expect(restsMinutes(7)).toEqual([15, 30, 60, 120, 240, 240, 240]);
});

test('too few refusals are counted and begin no rest', () => {
  const breaker = new Breaker();
  expect(breaker.refused(false, 0)).toBe(false);
  expect([breaker.refusals, breaker.keepsOut(1), breaker.hasRested]).toEqual([1, false, false]);
});

test('refusals of what was asked before make a rest no longer', () => {
  const breaker = new Breaker();
  breaker.refused(ENOUGH, 0);
  expect(breaker.refused(ENOUGH, 1)).toBe(false);
  expect(breaker.untilMs).toBe(15 * MINUTE_MS);
});

test('after a rest one session tries, alone; another only when that was not heard of for a while', () => {
  const breaker = new Breaker();
  breaker.refused(ENOUGH, 0);
  const overMs = breaker.untilMs;
  expect([breaker.keepsOut(overMs - 1), breaker.keepsOut(overMs)]).toEqual([true, false]);
  breaker.began(overMs);
  expect([breaker.keepsOut(overMs + 1), breaker.isResting(overMs + 1)]).toEqual([true, false]);
  expect(breaker.keepsOut(overMs + 2 * MINUTE_MS)).toBe(false);
});

test('a trial session that is refused begins the next rest, by one refusal of any kind', () => {
  const breaker = new Breaker();
  breaker.refused(ENOUGH, 0);
  const overMs = breaker.untilMs;
  breaker.began(overMs);
  expect(breaker.refused(false, overMs + 1)).toBe(true);
  expect(breaker.isResting(overMs + 2)).toBe(true);
});
