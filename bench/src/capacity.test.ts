import { expect, test } from 'vitest';
import { ASSUMPTIONS, type Assumptions, capacity } from './capacity.ts';

/** Round figures, so that each result below can be checked by hand. */
const ROUND: Assumptions = {
  peakFactor: 3,
  largestProviderShare: 0.5,
  providerPerSource: 10,
  providerPerSourceAndDay: 20_000,
  smallDomainShare: 0.4,
  addressesPerSmallSession: 1.2,
  sessionSeconds: 2,
  unresponsiveShare: 0.01,
  unresponsiveSeconds: 180,
  sessionsPerNode: 200,
  perCore: 1_000,
  walBytes: 150,
  chunkBytes: 50,
  evidenceBytes: 90,
  evidenceDays: 30,
  commitsPerThousand: 2.5,
  singlesPerNode: 100,
  commitsPerSingle: 2,
  walBytesPerSingle: 2_500,
  dnsQuestionsPerSmallDomain: 3,
};

test('8,640,000 addresses per day, 100 per second on average, worked through by hand', () => {
  const need = capacity(8_640_000, ROUND);
  const expected = {
    peakPerSecond: 300,
    // 150 per second at the largest provider, 10 from each source.
    sources: 15,
    // 4,320,000 per day there, 20,000 from each source.
    sourcesByDay: 216,
    // 120 addresses in 100 sessions per second: 200 that answer, 180 that are waited for in vain.
    openSessions: 380,
    cores: 0.3,
    nodes: 2,
    dnsPerSecond: 300,
    commitsPerSecond: 0.75,
    singleNodes: 3,
    singleCommitsPerSecond: 600,
    singleWalGigabytesPerDay: 21.6,
    walGigabytesPerDay: 1.296,
    chunkGigabytesPerYear: 157.68,
    evidenceGigabytes: 23.328,
    chunkRowsPerDay: 34_560,
  };
  expect(Object.keys(need).sort()).toEqual(Object.keys(expected).sort());
  for (const [name, value] of Object.entries(expected))
    expect({ [name]: need[name as keyof typeof need] }).toEqual({ [name]: expect.closeTo(value, 6) });
});

test('where sessions are few, processor cores decide how many nodes it takes', () => {
  expect(capacity(8_640_000, { ...ROUND, sessionsPerNode: 10_000, perCore: 125 }).nodes).toBe(3);
});

test('ten million a day take one machine and eleven source addresses, or three hundred with a limit per day', () => {
  expect(capacity(10_000_000, ASSUMPTIONS)).toMatchObject({ nodes: 1, sources: 11, sourcesByDay: 300 });
});
