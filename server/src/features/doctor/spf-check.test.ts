// SPF by the RFC's own examples (7208, appendix A and section 7.4), its limits, and records that are made up.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WorldSpec } from '../../../../world/src/index.ts';
import { createVirtualWorld } from '../../../../world/src/virtual.ts';
import { readIp } from '../../rules/cidr.ts';
import { checkSpf } from './spf-check.ts';
import { expandMacros, isMacroString } from './spf-macros.ts';
import { isSpfRecord, parseSpf } from './spf-record.ts';

/** The zone of appendix A. */
const APPENDIX: WorldSpec = {
  domains: {
    'example.com': {
      mx: [
        { host: 'mail-a.example.com', preference: 10 },
        { host: 'mail-b.example.com', preference: 20 },
      ],
    },
    'example.org': { mx: ['mail-c.example.org'] },
  },
  names: {
    'example.com': { a: ['192.0.2.10', '192.0.2.11'] },
    'amy.example.com': { a: ['192.0.2.65'] },
    'bob.example.com': { a: ['192.0.2.66'] },
    'mail-a.example.com': { a: ['192.0.2.129'], aaaa: ['2001:db8::129'] },
    'mail-b.example.com': { a: ['192.0.2.130'] },
    'mail-c.example.org': { a: ['192.0.2.140'] },
  },
  ptr: {
    '192.0.2.10': ['example.com'],
    '192.0.2.65': ['amy.example.com'],
    '192.0.2.66': ['bob.example.com'],
    '192.0.2.129': ['mail-a.example.com'],
    '192.0.2.140': ['mail-c.example.org'],
    '10.0.0.4': ['bob.example.com'],
  },
};

async function check(record: string | readonly string[], ip: string, more: WorldSpec['names'] = {}) {
  const own = APPENDIX.names!['example.com']!;
  const txt = typeof record === 'string' ? [record] : record;
  const world = createVirtualWorld(
    { ...APPENDIX, names: { ...APPENDIX.names, 'example.com': { ...own, txt }, ...more } },
    { seed: 1 },
  );
  const asked = {
    ip: readIp(ip)!,
    domain: 'example.com',
    sender: 'anna@example.com',
    helo: 'mx.example.com',
  };
  const { result } = await world.run(checkSpf(world.resolver, asked));
  return { result, questions: [...world.seen.questions.values()].reduce((sum, times) => sum + times, 0) };
}

test.each<[string, string, string]>([
  ['v=spf1 +all', '192.0.2.1', 'pass'],
  ['v=spf1 a -all', '192.0.2.10', 'pass'],
  ['v=spf1 a -all', '192.0.2.11', 'pass'],
  ['v=spf1 a -all', '192.0.2.12', 'fail'],
  ['v=spf1 a:example.org -all', '192.0.2.10', 'fail'],
  ['v=spf1 mx -all', '192.0.2.129', 'pass'],
  ['v=spf1 mx -all', '192.0.2.130', 'pass'],
  ['v=spf1 mx -all', '2001:db8::129', 'pass'],
  ['v=spf1 mx -all', '192.0.2.140', 'fail'],
  ['v=spf1 mx:example.org -all', '192.0.2.140', 'pass'],
  ['v=spf1 mx mx:example.org -all', '192.0.2.140', 'pass'],
  ['v=spf1 mx/30 mx:example.org/30 -all', '192.0.2.131', 'pass'],
  ['v=spf1 mx/30 mx:example.org/30 -all', '192.0.2.143', 'pass'],
  ['v=spf1 mx/30 mx:example.org/30 -all', '192.0.2.144', 'fail'],
  ['v=spf1 mx/30//64 -all', '2001:db8::1', 'pass'],
  ['v=spf1 ptr -all', '192.0.2.65', 'pass'],
  ['v=spf1 ptr -all', '192.0.2.140', 'fail'],
  ['v=spf1 ptr -all', '10.0.0.4', 'fail'],
  ['v=spf1 ip4:192.0.2.128/28 -all', '192.0.2.65', 'fail'],
  ['v=spf1 ip4:192.0.2.128/28 -all', '192.0.2.129', 'pass'],
  ['v=spf1 ip6:2001:db8::/32 -all', '2001:db8:1::1', 'pass'],
  ['v=spf1 ip6:2001:db8::/32 -all', '192.0.2.1', 'fail'],
  ['v=spf1 ?ip4:192.0.2.1 -all', '192.0.2.1', 'neutral'],
  ['v=spf1 ~all', '192.0.2.1', 'softfail'],
  ['v=spf1', '192.0.2.1', 'neutral'],
  ['V=SPF1 A -ALL', '192.0.2.10', 'pass'],
  ['v=spf10 +all', '192.0.2.1', 'none'],
  ['v=spf1 exists:%{ir}.sbl.example.org -all', '192.0.2.1', 'fail'],
  ['v=spf1 redirect=example.net -all', '192.0.2.1', 'fail'],
  ['v=spf1 unknown=%{d} -all', '192.0.2.1', 'fail'],
  ['v=spf1 include:nowhere.example -all', '192.0.2.1', 'permerror'],
  ['v=spf1 redirect=nowhere.example', '192.0.2.1', 'permerror'],
  ['v=spf1 a:%{c}.example.com -all', '192.0.2.1', 'permerror'],
  ['v=spf1 redirect=a.example redirect=b.example', '192.0.2.1', 'permerror'],
])('%s for %s: %s', async (record, ip, result) => {
  expect((await check(record, ip)).result).toBe(result);
});

test.each<[string, string]>([
  ['v=spf1 +all', 'pass'],
  ['v=spf1 -all', 'fail'],
  ['v=spf1 ~all', 'softfail'],
  ['v=spf1 ?all', 'neutral'],
  ['v=spf1 a:mail-c.example.org -all', 'fail'],
  ['v=spf1 ipv4:1.2.3.4 -all', 'permerror'],
])('an include of "%s" matches only when that passes', async (other, result) => {
  const more = { 'other.example': { txt: [other] } };
  const included = (await check('v=spf1 include:other.example -all', '192.0.2.1', more)).result;
  expect(included).toBe(result === 'pass' || result === 'permerror' ? result : 'fail');
  expect((await check('v=spf1 redirect=other.example', '192.0.2.1', more)).result).toBe(result);
});

test('records of several strings are one, several records are none, failures of DNS are told apart', async () => {
  expect((await check(['v=spf1 ip4:192.0.2.1 -all', 'other text'], '192.0.2.1')).result).toBe('pass');
  expect((await check(['v=spf1 +all', 'v=spf1 -all'], '192.0.2.1')).result).toBe('permerror');
  const sick = { 'sick.example': { dns: 'servfail' as const } };
  expect((await check('v=spf1 include:sick.example -all', '192.0.2.1', sick)).result).toBe('temperror');
  expect((await check('v=spf1 a:sick.example -all', '192.0.2.1', sick)).result).toBe('temperror');
});

test('a record that includes itself ends at ten lookups', async () => {
  const { result, questions } = await check('v=spf1 include:example.com -all', '192.0.2.1');
  expect({ result, questions }).toEqual({ result: 'permerror', questions: 11 });
  const round = await check('v=spf1 redirect=example.com', '192.0.2.1');
  expect(round).toEqual({ result: 'permerror', questions: 11 });
});

test('ten lookups are allowed, the eleventh is not', async () => {
  const terms = (count: number) => `v=spf1 ${'a:amy.example.com '.repeat(count)}-all`;
  expect((await check(terms(10), '192.0.2.1')).result).toBe('fail');
  expect((await check(terms(11), '192.0.2.1')).result).toBe('permerror');
});

test('two lookups in vain are allowed, the third is not', async () => {
  const terms = (count: number) => `v=spf1 ${'a:nowhere.example '.repeat(count)}-all`;
  expect((await check(terms(2), '192.0.2.1')).result).toBe('fail');
  expect((await check(terms(3), '192.0.2.1')).result).toBe('permerror');
});

test('ten hosts of an mx term and ten names of a ptr term are looked up, an eleventh host is an error', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `h${i}.example.com`);
  const asking = async (record: string, hosts: number) => {
    const world = createVirtualWorld(
      {
        domains: { 'example.com': { mx: names(hosts) } },
        names: { 'example.com': { txt: [record] } },
        ptr: { '192.0.2.1': names(hosts) },
      },
      { seed: 1 },
    );
    const asked = { ...VALUES, ip: readIp('192.0.2.1')!, domain: 'example.com' };
    const { result } = await world.run(checkSpf(world.resolver, asked));
    return {
      result,
      addresses: [...world.seen.questions.keys()].filter((key) => key.startsWith('a ')).length,
    };
  };
  expect(await asking('v=spf1 mx -all', 10)).toEqual({ result: 'fail', addresses: 10 });
  expect(await asking('v=spf1 mx -all', 11)).toEqual({ result: 'permerror', addresses: 0 });
  expect(await asking('v=spf1 ptr -all', 20)).toEqual({ result: 'fail', addresses: 10 });
});

const VALUES = {
  ip: readIp('192.0.2.3')!,
  sender: 'strong-bad@email.example.com',
  helo: 'mx.example.org',
  domain: 'email.example.com',
};

test.each([
  ['%{s}', 'strong-bad@email.example.com'],
  ['%{o}', 'email.example.com'],
  ['%{d}', 'email.example.com'],
  ['%{d4}', 'email.example.com'],
  ['%{d2}', 'example.com'],
  ['%{d1}', 'com'],
  ['%{dr}', 'com.example.email'],
  ['%{d2r}', 'example.email'],
  ['%{l}', 'strong-bad'],
  ['%{l-}', 'strong.bad'],
  ['%{lr}', 'strong-bad'],
  ['%{lr-}', 'bad.strong'],
  ['%{l1r-}', 'strong'],
  ['%{ir}.%{v}._spf.%{d2}', '3.2.0.192.in-addr._spf.example.com'],
  ['%{lr-}.lp._spf.%{d2}', 'bad.strong.lp._spf.example.com'],
  ['%{lr-}.lp.%{ir}.%{v}._spf.%{d2}', 'bad.strong.lp.3.2.0.192.in-addr._spf.example.com'],
  ['%{d2}.trusted-domains.example.net', 'example.com.trusted-domains.example.net'],
  ['%{h}%%%_%-', 'mx.example.org% %20'],
])('macro %s', (text, written) => {
  expect(isMacroString(text)).toBe(true);
  expect(expandMacros(text, VALUES)).toBe(written);
});

test('macros of an IPv6 address are its digits', () => {
  const digits = '1.0.b.c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2';
  const values = { ...VALUES, ip: readIp('2001:db8::cb01')! };
  expect(expandMacros('%{ir}.%{v}._spf.%{d2}', values)).toBe(`${digits}.ip6._spf.example.com`);
});

test('a record is read as it was written, whatever its terms', () => {
  const qualifier = fc.constantFrom('', '+', '-', '~', '?');
  const domain = fc.domain();
  const term = fc.oneof(
    fc
      .tuple(fc.constantFrom('include', 'exists'), domain)
      .map(([name, at]) => ({ name, text: `${name}:${at}` })),
    fc.tuple(fc.ipV4(), fc.nat(32)).map(([ip, bits]) => ({ name: 'ip4', text: `ip4:${ip}/${bits}` })),
    fc.tuple(fc.ipV6(), fc.nat(128)).map(([ip, bits]) => ({ name: 'ip6', text: `ip6:${ip}/${bits}` })),
    fc
      .tuple(fc.constantFrom('a', 'mx'), domain, fc.nat(32), fc.nat(128))
      .map(([name, at, four, six]) => ({ name, text: `${name}:${at}/${four}//${six}` })),
    fc.constantFrom('a', 'mx', 'ptr', 'all').map((name) => ({ name, text: name })),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(qualifier, term), { maxLength: 15 }), (terms) => {
      const text = ['v=spf1', ...terms.map(([sign, { text }]) => sign + text)].join(' ');
      const parsed = parseSpf(text);
      if (!parsed.ok) throw new Error(`not valid: ${parsed.term}`);
      expect(parsed.record.mechanisms.map(({ name, qualifier: sign }) => [sign, name])).toEqual(
        terms.map(([sign, { name }]) => [sign || '+', name]),
      );
    }),
  );
});

test('any text is a record or not, is evaluated within the limits, and a name written out fits into DNS', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'a',
      'mx',
      'ptr',
      'include:example.com',
      'redirect=example.com',
      '%{',
      '%{d9r.}',
      '/',
      '//',
      ' ',
      '-all',
      ':',
      '%{i}.',
      'exists:%{l}.%{d}',
      '\0',
      'é',
    ),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  );
  const text = fc.array(piece, { maxLength: 40 }).map((all) => `v=spf1 ${all.join('')}`.slice(0, 250));
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom('192.0.2.129', '2001:db8::1'), async (record, ip) => {
      expect(isSpfRecord(record)).toBe(true);
      let questions = 0;
      const records =
        <Row>(...all: Row[]) =>
        async () => {
          questions += 1;
          return { kind: 'records' as const, records: all, ttlSeconds: 1 };
        };
      const mx = records(
        ...Array.from({ length: 10 }, () => ({ preference: 1, exchange: 'mx.example.com' })),
      );
      const names = records(...Array.from({ length: 20 }, () => 'a.example.com'));
      const addresses = records('192.0.2.1');
      const dns = { mx, a: addresses, aaaa: addresses, ptr: names, txt: records(record) };
      const asked = { ...VALUES, ip: readIp(ip)!, domain: 'example.com' };
      const { result } = await checkSpf(dns, asked);
      expect(['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror']).toContain(result);
      // Ten terms, each with at most ten hosts more, and the record itself.
      expect(questions).toBeLessThanOrEqual(1 + 10 * 11);
      if (isMacroString(record)) expect(expandMacros(record, VALUES).length).toBeLessThanOrEqual(253);
    }),
    { numRuns: 100 },
  );
});
