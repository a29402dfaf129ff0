// Our SPF against mailauth's, an evaluator that others wrote. Promise: on records of valid terms whose names all exist, both
// say the same. Left out is what they are known to disagree on (ADR 0081).
import fc from 'fast-check';
import { spf } from 'mailauth/lib/spf/index.js';
import { expect, test } from 'vitest';
import { pointerName } from '../src/features/doctor/ip-names.ts';
import { checkSpf } from '../src/features/doctor/spf-check.ts';
import { readIp } from '../src/rules/cidr.ts';

const NAMES = ['example.com', 'a.example', 'b.example', 'c.example'];
const V4 = ['192.0.2.1', '192.0.2.66', '198.51.100.7'];
const V6 = ['2001:db8::1', '2001:db8:1::5'];
const [SENDER, HELO] = ['anna@example.com', 'mx.example.com'];

const name = fc.constantFrom(...NAMES);
const some = (of: readonly string[]) => fc.subarray([...of], { minLength: 1, maxLength: 2 });
const target = fc.oneof(
  name.map((one) => `:${one}`),
  fc.constantFrom(':%{ir}.%{v}.a.example', ':%{l}.%{o}', ':%{l1r-}.b.example', ':%{h}'),
);
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''));
const ownOr = fc.oneof(fc.constant(''), target);
const prefix4 = fc.constantFrom('', '/32', '/24', '/16', '/0');
const term = joined(
  fc.constantFrom('', '+', '-', '~', '?'),
  fc.oneof(
    fc.constant('all'),
    joined(fc.constantFrom('a', 'mx'), ownOr, prefix4, fc.constantFrom('', '//128', '//32', '//1')),
    joined(fc.constantFrom('include', 'exists'), target),
    joined(fc.constant('ptr'), target),
    joined(fc.constant('ip4:'), fc.constantFrom(...V4), prefix4),
    joined(fc.constant('ip6:'), fc.constantFrom(...V6), fc.constantFrom('', '/128', '/32', '/1')),
  ),
);
const last = fc.oneof(
  name.map((one) => `redirect=${one}`),
  fc.constantFrom('', 'exp=a.example', 'x=y'),
);
const record = fc
  .tuple(fc.array(term, { maxLength: 5 }), last)
  .map(([terms, modifier]) => ['v=spf1', ...terms, modifier].filter(Boolean).join(' '));
const texts = fc.oneof(
  { weight: 8, arbitrary: record.map((one) => [one, 'unrelated']) },
  { weight: 1, arbitrary: fc.constant(['unrelated']) },
  { weight: 1, arbitrary: fc.tuple(record, record) },
);
const zone = fc.record({
  TXT: fc.tuple(texts, texts, texts, texts),
  A: fc.tuple(some(V4), some(V4), some(V4), some(V4)),
  AAAA: fc.tuple(some(V6), some(V6), some(V6), some(V6)),
  MX: fc.tuple(some(NAMES), some(NAMES), some(NAMES), some(NAMES)),
  PTR: some(NAMES),
});
type Zone = typeof zone extends fc.Arbitrary<infer Rows> ? Rows : never;
type Kind = keyof Zone;

const POINTERS = new Set([...V4, ...V6].map((ip) => pointerName(readIp(ip)!)));

/** Each of the names stands for all names below it, so that no lookup is in vain. */
function rowsOf(rows: Zone, kind: Kind, asked: string): readonly string[] {
  if (kind === 'PTR') return POINTERS.has(asked) ? rows.PTR : [];
  const at = NAMES.findIndex((one) => asked === one || asked.endsWith(`.${one}`));
  return at < 0 ? [] : rows[kind][at]!;
}

async function ours(rows: Zone, ip: string): Promise<string> {
  const texts = (kind: Kind) => async (asked: string) => {
    const records = rowsOf(rows, kind, asked);
    return records.length === 0
      ? { kind: 'nodata' as const }
      : { kind: 'records' as const, records, ttlSeconds: 1 };
  };
  const mx = async (asked: string) => ({
    kind: 'records' as const,
    records: rowsOf(rows, 'MX', asked).map((exchange, preference) => ({ exchange, preference })),
    ttlSeconds: 1,
  });
  const dns = { txt: texts('TXT'), a: texts('A'), aaaa: texts('AAAA'), ptr: texts('PTR'), mx };
  const asked = { ip: readIp(ip)!, domain: 'example.com', sender: SENDER, helo: HELO };
  return (await checkSpf(dns, asked)).result;
}

async function theirs(rows: Zone, ip: string): Promise<string> {
  const resolver = async (asked: string, kind: string) => {
    const found = [...rowsOf(rows, kind as Kind, asked)];
    if (found.length === 0) throw Object.assign(new Error('no rows'), { code: 'ENODATA' });
    if (kind === 'TXT') return found.map((text) => [text]);
    // As node:dns has it, which mailauth reads and its types leave out.
    if (kind === 'MX') return found.map((exchange, priority) => ({ exchange, priority })) as never;
    return found;
  };
  return (await spf({ ip, sender: SENDER, helo: HELO, mta: HELO, resolver })).status.result;
}

test('an evaluator that others wrote says the same of every record', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(zone, fc.constantFrom(...V4, ...V6), async (rows, ip) => {
      const result = await ours(rows, ip);
      seen.add(result);
      // mailauth counts `ptr` once, however often it stands: it finds fewer records that take too many lookups.
      if (result === 'permerror' && rows.TXT.flat().some((text) => text.includes('ptr'))) return;
      expect(result).toBe(await theirs(rows, ip));
    }),
    { numRuns: 2_000 },
  );
  expect([...seen].sort()).toEqual(['fail', 'neutral', 'none', 'pass', 'permerror', 'softfail']);
}, 60_000);
