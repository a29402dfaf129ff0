// Gentle at the start, quick while it goes well, half after trouble: for every history.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  connectionFull,
  createPace,
  flewWell,
  forgetFullness,
  type Limits,
  mayOpen,
  roomThisMinute,
  tookConnection,
  transactionFull,
  troubled,
} from './pace.ts';

const LIMITS: Limits = {
  connections: 10,
  connectionsPerProvider: 40,
  recipientsPerTransaction: 50,
  recipientsPerConnection: 100,
  refusalsPerConnection: 9,
  recipientsPerMinute: null,
  bannerSeconds: null,
  replySeconds: null,
  secondTrySeconds: null,
  unknownRecipients: 500,
};

type Event = 'open' | 'close' | 'took' | 'well' | 'trouble' | 'full' | 'cut' | 'wait';
const events = fc.array(
  fc.record({
    what: fc.constantFrom<Event>('open', 'close', 'took', 'well', 'trouble', 'full', 'cut', 'wait'),
    amount: fc.nat({ max: 60_000 }),
  }),
  { maxLength: 300 },
);

test('no history leaves the bounds of the policy, opens during a pause or stops for ever', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 30 }), (history, connections) => {
      const limits = { ...LIMITS, connections };
      const pace = createPace(limits);
      let nowMs = 1_000_000;
      for (const { what, amount } of history) {
        if (what === 'open' && mayOpen(pace, nowMs)) {
          expect(nowMs).toBeGreaterThanOrEqual(pace.pausedUntilMs);
          pace.open += 1;
        }
        if (what === 'close' && pace.open > 0) pace.open -= 1;
        if (what === 'took') tookConnection(pace, connections);
        if (what === 'well') flewWell(pace, connections);
        if (what === 'trouble') troubled(pace, nowMs, amount % 3 === 0 ? amount * 100 : null);
        if (what === 'full') transactionFull(pace, amount % 60, nowMs);
        if (what === 'cut') connectionFull(pace, amount % 120, nowMs);
        if (what === 'wait') nowMs += amount;
        if (what === 'close') forgetFullness(pace, limits, nowMs);
        expect(pace.open).toBeLessThanOrEqual(connections);
        expect(pace.allowed).toBeGreaterThanOrEqual(1);
        expect(pace.allowed).toBeLessThanOrEqual(connections);
        expect(pace.perTransaction).toBeGreaterThanOrEqual(1);
        expect(pace.perTransaction).toBeLessThanOrEqual(limits.recipientsPerTransaction);
        expect(pace.perConnection).toBeGreaterThanOrEqual(1);
        expect(pace.pausedUntilMs - nowMs).toBeLessThanOrEqual(300_000);
      }
      pace.open = 0;
      expect(mayOpen(pace, nowMs + 300_000)).toBe(true);
    }),
  );
});

test('it starts with half of what the policy allows and rises to it while flights come back clean', () => {
  const pace = createPace(LIMITS);
  expect(pace.allowed).toBe(5);
  for (let i = 0; i < 20; i += 1) flewWell(pace, LIMITS.connections);
  expect(pace.allowed).toBe(10);
});

test('every connection that is taken allows one more, but not where there was trouble before', () => {
  const pace = createPace(LIMITS);
  for (let i = 0; i < 20; i += 1) tookConnection(pace, LIMITS.connections);
  expect(pace.allowed).toBe(10);
  troubled(pace, 1_000);
  for (let i = 0; i < 20; i += 1) tookConnection(pace, LIMITS.connections);
  expect(pace.allowed).toBe(5);
});

test('trouble halves once a moment, pauses longer each time, and makes the rise slow', () => {
  const pace = createPace(LIMITS);
  for (let i = 0; i < 20; i += 1) flewWell(pace, LIMITS.connections);
  for (let i = 0; i < 10; i += 1) troubled(pace, 1_000);
  expect(pace.allowed).toBe(5);
  expect(mayOpen(pace, 1_000)).toBe(false);
  const firstPauseMs = pace.pausedUntilMs - 1_000;
  for (let i = 0; i < 5; i += 1) flewWell(pace, LIMITS.connections);
  expect(Math.floor(pace.allowed)).toBe(5);
  troubled(pace, 1_000_000);
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
