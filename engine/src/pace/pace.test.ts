// Gentle at the start, quick while it goes well, half after trouble: for every history of everything a host can do.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  acceptedConnection,
  answeredWell,
  askedTooMany,
  backOff,
  connectionFull,
  connectRateExceeded,
  connectRefused,
  createPace,
  flightSucceeded,
  forgetFullness,
  type Limits,
  mayOpen,
  minuteEndsMs,
  opened,
  roomThisMinute,
  transactionFull,
} from './pace.ts';

const LIMITS: Limits = {
  connections: 10,
  connectionsPerProvider: 40,
  recipientsPerTransaction: 50,
  recipientsPerConnection: 100,
  refusalsPerConnection: 9,
  transactionsPerConnection: null,
  recipientsPerHour: null,
  recipientsPerDay: null,
  recipientsPerMinute: null,
  bannerSeconds: null,
  replySeconds: null,
  secondTrySeconds: null,
  unknownRecipients: 500,
  refusalsInARow: 300,
  refusingRecipientsPerMinute: 60,
  refusingConnectionsPerMinute: 10,
};

const EVENTS = [
  ...(['open', 'close', 'accepted', 'well', 'trouble', 'full', 'cut'] as const),
  ...(['connect_refused', 'too_often', 'answered', 'too_many', 'forget', 'wait'] as const),
] as const;
const events = fc.array(fc.record({ what: fc.constantFrom(...EVENTS), amount: fc.nat({ max: 60_000 }) }), {
  maxLength: 300,
});

test('no history leaves the bounds of the policy, opens during a pause or stops for ever', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 30 }), (history, connections) => {
      const limits = { ...LIMITS, connections };
      const pace = createPace(limits);
      let nowMs = 1_000_000;
      for (const { what, amount } of history) {
        const namedMs = amount % 3 === 0 ? amount * 100 : null;
        switch (what) {
          case 'open':
            if (!mayOpen(pace, nowMs)) break;
            expect(nowMs).toBeGreaterThanOrEqual(pace.pausedUntilMs);
            pace.open += 1;
            opened(pace, nowMs);
            break;
          case 'close':
            pace.open = Math.max(0, pace.open - 1);
            break;
          case 'accepted':
            acceptedConnection(pace, connections);
            break;
          case 'well':
            flightSucceeded(pace, connections);
            break;
          case 'trouble':
            backOff(pace, nowMs, namedMs);
            break;
          case 'full':
            transactionFull(pace, amount % 60, nowMs);
            break;
          case 'cut':
            connectionFull(pace, amount % 120, nowMs);
            break;
          case 'connect_refused':
            connectRefused(pace, amount % (pace.open + 1), nowMs, namedMs);
            break;
          case 'too_often':
            connectRateExceeded(pace, amount % (pace.open + 1), nowMs);
            break;
          case 'answered':
            answeredWell(pace, amount % 200, nowMs);
            break;
          case 'too_many':
            askedTooMany(pace, nowMs);
            break;
          case 'forget':
            forgetFullness(pace, limits, nowMs);
            break;
          case 'wait':
            nowMs += amount;
            break;
          default:
            what satisfies never;
        }
        expect(pace.open).toBeLessThanOrEqual(connections);
        expect(pace.allowed).toBeGreaterThanOrEqual(1);
        expect(pace.allowed).toBeLessThanOrEqual(connections);
        expect(pace.perTransaction).toBeGreaterThanOrEqual(1);
        expect(pace.perTransaction).toBeLessThanOrEqual(limits.recipientsPerTransaction);
        expect(pace.perConnection).toBeGreaterThanOrEqual(1);
        expect(pace.pausedUntilMs - nowMs).toBeLessThanOrEqual(300_000);
        expect(pace.ceiling).toBeGreaterThanOrEqual(1);
        expect(pace.opensPerMinute).toBeGreaterThanOrEqual(1);
      }
      pace.open = 0;
      expect(mayOpen(pace, nowMs + 300_000)).toBe(true);
      expect(roomThisMinute(pace, limits, minuteEndsMs(pace))).toBeGreaterThanOrEqual(10);
    }),
  );
});

test('it starts with five connections, fewer where the policy says so, and rises to the policy while flights come back clean', () => {
  expect(createPace({ ...LIMITS, connections: 3 }).allowed).toBe(3);
  const pace = createPace(LIMITS);
  expect(pace.allowed).toBe(5);
  for (let i = 0; i < 20; i += 1) flightSucceeded(pace, LIMITS.connections);
  expect(pace.allowed).toBe(10);
});

test('every accepted connection allows one more, but not where there was trouble before', () => {
  const pace = createPace(LIMITS);
  for (let i = 0; i < 20; i += 1) acceptedConnection(pace, LIMITS.connections);
  expect(pace.allowed).toBe(10);
  backOff(pace, 1_000);
  for (let i = 0; i < 20; i += 1) acceptedConnection(pace, LIMITS.connections);
  expect(pace.allowed).toBe(5);
});

test('trouble halves once a moment, pauses longer each time, and makes the rise slow', () => {
  const pace = createPace(LIMITS);
  for (let i = 0; i < 20; i += 1) flightSucceeded(pace, LIMITS.connections);
  for (let i = 0; i < 10; i += 1) backOff(pace, 1_000);
  expect(pace.allowed).toBe(5);
  expect(mayOpen(pace, 1_000)).toBe(false);
  const firstPauseMs = pace.pausedUntilMs - 1_000;
  for (let i = 0; i < 5; i += 1) flightSucceeded(pace, LIMITS.connections);
  expect(Math.floor(pace.allowed)).toBe(5);
  backOff(pace, 1_000_000);
  expect(pace.pausedUntilMs - 1_000_000).toBeGreaterThan(firstPauseMs);
  expect(pace.allowed).toBe(2);
});

test('a minute holds what the policy gives it', () => {
  const limits = { ...LIMITS, recipientsPerMinute: 30 };
  const pace = createPace(limits);
  expect(roomThisMinute(pace, limits, 100_000)).toBe(30);
  pace.minuteRecipients += 30;
  expect(roomThisMinute(pace, limits, 159_999)).toBe(0);
  expect(roomThisMinute(pace, limits, 160_000)).toBe(30);
});

test('what a host had no room for is asked of it again an hour later, not before', () => {
  const pace = createPace(LIMITS);
  transactionFull(pace, 3, 1_000);
  connectionFull(pace, 7, 61_000);
  forgetFullness(pace, LIMITS, 3_500_000);
  expect([pace.perTransaction, pace.perConnection]).toEqual([3, 7]);
  forgetFullness(pace, LIMITS, 3_601_000);
  expect([pace.perTransaction, pace.perConnection]).toEqual([50, 7]);
  forgetFullness(pace, LIMITS, 3_661_000);
  expect([pace.perTransaction, pace.perConnection]).toEqual([50, 100]);
});
