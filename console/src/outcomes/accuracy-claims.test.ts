import type { Accuracy } from '@mxproof/client';
import { expect, test } from 'vitest';
import { formatRate } from '../design/format.ts';
import {
  accuracyTable,
  detailClaims,
  providerClaims,
  scaleOf,
  stateClaim,
  stateClaims,
  telltales,
} from './accuracy-claims.ts';

const none = { delivered: 0, bounced: 0, full: 0, blocked: 0, complained: 0, unclear: 0 };
const ACCURACY: Accuracy = {
  matched: 12_511,
  unmatched: 40,
  states: {
    deliverable: { ...none, delivered: 12_447, bounced: 31, full: 12, blocked: 7, complained: 2, unclear: 2 },
    risky: { ...none, delivered: 12 },
    undeliverable: { ...none, delivered: 2, bounced: 98, full: 1 },
    unknown: none,
  },
  providers: [
    {
      provider: 'google',
      state: 'deliverable',
      n: 9_120,
      bounced: 11,
      rate: 0.001206,
      low: 0.000674,
      high: 0.002159,
    },
    { provider: 'other', state: 'undeliverable', n: 100, bounced: 98, rate: 0.98, low: 0.93, high: 0.995 },
  ],
  details: [
    { detail: 'accepted', n: 12_480, bounced: 31, rate: 0.002484, low: 0.001751, high: 0.003524 },
    { detail: 'no_such_mailbox', n: 100, bounced: 98, rate: 0.98, low: 0.93, high: 0.995 },
  ],
};

test('the sentence of the guide: 31 of 12,480, with the interval that the service gives the same counts', () => {
  const { wrong } = stateClaim(ACCURACY, 'deliverable');
  expect(wrong).toMatchObject({ count: 31, of: 12_480 });
  expect([wrong.rate, wrong.low, wrong.high].map((share) => formatRate(share!))).toEqual([
    '0.25%',
    '0.18%',
    '0.35%',
  ]);
  const { n, bounced, low, high } = ACCURACY.providers[0]!;
  const google = providerClaims(ACCURACY)[0]!;
  expect(google).toMatchObject({ name: 'Google', state: 'deliverable', wrong: { count: bounced, of: n } });
  expect(google.wrong.low).toBeCloseTo(low!, 6);
  expect(google.wrong.high).toBeCloseTo(high!, 6);
});

test('of addresses called undeliverable those are wrong to which mail was delivered; below 30 nothing is claimed', () => {
  expect(stateClaim(ACCURACY, 'undeliverable').wrong).toMatchObject({ count: 2, of: 100, rate: 0.02 });
  expect(detailClaims(ACCURACY)[1]).toMatchObject({ state: 'undeliverable', wrong: { count: 2, of: 100 } });
  expect(stateClaim(ACCURACY, 'risky').wrong).toEqual({
    count: 0,
    of: 12,
    rate: null,
    low: null,
    high: null,
  });
  expect(telltales(ACCURACY)).toEqual({ full: 13, blocked: 7, unclear: 2 });
});

test('a scale ends at 1, 2 or 5 of something, beyond every interval', () => {
  expect(scaleOf([stateClaim(ACCURACY, 'deliverable')])).toBeCloseTo(0.005, 9);
  expect(scaleOf(stateClaims(ACCURACY))).toBeCloseTo(0.1, 9);
  expect(scaleOf([])).toBeCloseTo(0.0001, 9);
  const all = { count: 40, of: 40, rate: 1, low: 0.9, high: 1 };
  expect(scaleOf([{ name: '', state: 'risky', wrong: all }])).toBe(1);
});

test('the table says all of it, and nothing below 30', () => {
  const table = accuracyTable(ACCURACY);
  expect(new Set(table.map(({ length }) => length))).toEqual(new Set([12]));
  expect(table[1]).toEqual([
    'Verdict',
    'Deliverable',
    'Deliverable',
    12_480,
    31,
    0.002484,
    0.001751,
    0.003524,
    2,
    12,
    7,
    2,
  ]);
  expect(table[2]).toEqual(['Verdict', 'Risky', 'Risky', 12, 0, '', '', '', 0, 0, 0, 0]);
  expect(table.at(-1)?.[3]).toBe(40);
});
