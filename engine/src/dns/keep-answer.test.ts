import { expect, test } from 'vitest';
import type { DnsAnswer, MxRecord } from '../ports.ts';
import { keepAddresses, keepMxHosts, keptBytes } from './keep-answer.ts';

function mxHostsOf(...records: readonly (readonly [number, string])[]): readonly string[] {
  const rows = records.map(([preference, exchange]): MxRecord => ({ preference, exchange }));
  const kept = keepMxHosts({ kind: 'records', records: rows, ttlSeconds: 60 });
  return kept.kind === 'records' ? kept.records.map(({ exchange }) => exchange) : [];
}

test.each([
  '=cmd|x.example',
  '+1.example',
  '-1.example',
  '@sum.example',
  'a"b.example',
  'a,b.example',
  'a b.example',
  'a\\032b.example',
  'a\\.b.example',
  'mx..example',
  '.example',
  '192.0.2.1',
  `${'a'.repeat(250)}.example`,
])('%s is no MX host', (name) => {
  expect(mxHostsOf([10, name], [20, 'mx.example'])).toEqual(['mx.example']);
  expect(mxHostsOf([10, name])).toEqual([]);
});

test.each([
  'mx1.example.com',
  '_mail.example',
  'mx_1.ex-ample.com',
  'xn--bcher-kva.example',
  '1.example',
  'mx',
])('%s may be one', (name) => expect(mxHostsOf([10, name])).toEqual([name]));

test('the most preferred of all are kept, in their order, however late they stand in the answer', () => {
  const all = Array.from({ length: 4_000 }, (_, at): [number, string] => [4_000 - at, `mx${at}.example`]);
  expect(mxHostsOf(...all)).toEqual(Array.from({ length: 12 }, (_, at) => `mx${3_999 - at}.example`));
});

test('a null MX is kept where nothing else is named', () => {
  expect(mxHostsOf([0, ''], [0, ''])).toEqual(['']);
  expect(mxHostsOf([0, ''], [10, 'mx.example'])).toEqual(['mx.example']);
});

test('of thousands of addresses a few are kept, and what is kept of any answer is small', () => {
  const records = Array.from({ length: 4_000 }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
  const answer: DnsAnswer<string> = { kind: 'records', records, ttlSeconds: 60, server: 1 };
  const kept = keepAddresses(answer);
  expect(kept).toEqual({ ...answer, records: records.slice(0, 16) });
  expect(keptBytes('a host.example', kept)).toBeLessThan(1_024);
});
