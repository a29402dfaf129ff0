import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billOfMaterials, compareInstalled } from './bill.ts';
import { isAllowed, licenceFaults } from './licences.ts';
import { builtIn, insidePostgres, type Lock, refOf, type Shipped, shippedWith } from './shipped.ts';

const LOCK: Lock = {
  cli: {
    name: 'mxproof',
    version: '1.0.0',
    license: 'MIT',
    dependencies: { '@mxproof/server': '1.0.0', a: '1' },
  },
  'node_modules/@mxproof/server': { link: true, resolved: 'server' },
  server: {
    name: '@mxproof/server',
    version: '1.0.0',
    license: 'MIT',
    dependencies: { a: '2', 'free-email-domains': '1' },
    optionalDependencies: { binary: '1' },
  },
  'node_modules/a': { version: '1.0.0', license: 'MIT', integrity: 'sha512-AAAA', dependencies: { b: '^1' } },
  'server/node_modules/a': { version: '2.0.0', license: 'ISC', peerDependencies: { absent: '*' } },
  'node_modules/b': { version: '1.5.0', license: 'GPL-3.0-only' },
  'node_modules/binary': { version: '1.0.0', license: '(MIT OR GPL-2.0-only)' },
  'node_modules/free-email-domains': { version: '1.2.0', license: 'MIT', dependencies: { downloader: '1' } },
  'node_modules/unused': { version: '1.0.0' },
};

test('everything a package needs is found where Node would find it, and nothing else', () => {
  const [root, ...parts] = shippedWith(LOCK, 'cli');
  expect(root.needs).toEqual(['@mxproof/server@1.0.0', 'a@1.0.0']);
  expect(parts.map((one) => [refOf(one), one.way])).toEqual([
    ['@mxproof/server@1.0.0', 'ours'],
    ['a@1.0.0', 'installed'],
    ['a@2.0.0', 'installed'],
    ['b@1.5.0', 'installed'],
    ['binary@1.0.0', 'optional'],
    // Its data travels; what its code needs does not.
    ['free-email-domains@1.2.0', 'data'],
  ]);
});

test('a package that the lock file lacks is an error', () => {
  const { 'node_modules/b': _, ...without } = LOCK;
  expect(() => shippedWith(without, 'cli')).toThrow('package-lock.json has no b, which a needs');
});

test('the licences of all that is shipped are in the list, and another one is told', () => {
  expect(licenceFaults(shippedWith(LOCK, 'cli'))).toEqual([
    'b@1.5.0 has the licence GPL-3.0-only, which is not in the list of scripts/release/licences.ts.',
  ]);
  for (const license of ['MIT', '(MIT OR GPL-2.0-only)', 'MIT AND ISC'])
    expect(isAllowed(license), license).toBe(true);
  for (const license of ['MIT AND GPL-2.0-only', 'SEE LICENSE IN x', 'MIT OR ISC AND GPL-2.0-only', ''])
    expect(isAllowed(license), license).toBe(false);
  const { packages } = JSON.parse(
    readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  ) as {
    packages: Lock;
  };
  for (const workspace of ['cli', 'engine', 'client'])
    expect(licenceFaults(shippedWith(packages, workspace)), workspace).toEqual([]);
});

test('what is compiled into the console is read from the notices beside it', () => {
  expect(
    builtIn('# Licenses\n\n## @x/y - 1.2.3 (Apache-2.0)\n\ntext\n## not one\n## z - 2 (MIT)\n').map(refOf),
  ).toEqual(['@x/y@1.2.3', 'z@2']);
});

test('PostgreSQL and its libraries are named, and a file that no row knows is told', () => {
  const files = [
    'libpq.so.5.18',
    'libssl.so.1.1',
    'libz.so.1',
    'libpgport.a',
    'libsurprise.so.2',
    'pkgconfig',
  ];
  const { shipped, unknown } = insidePostgres('18.4.0', files);
  expect(shipped.map((one) => [refOf(one), one.license])).toEqual([
    ['postgresql@18.4.0', 'PostgreSQL'],
    ['openssl-1.1@1.1', 'OpenSSL'],
    ['zlib@1', 'Zlib'],
  ]);
  expect(unknown).toEqual(['libsurprise.so.2']);
});

test('the bill names every part once, and the same parts give the same bytes', () => {
  const [root, ...parts] = shippedWith(LOCK, 'cli');
  const console_: Shipped = { ...parts[1]!, way: 'built in', needs: [] };
  const make = () =>
    billOfMaterials({ root, parts: [...parts, console_], sha256: 'ab', madeAt: 1_700_000_000 });
  expect(make()).toBe(make());
  const bill = JSON.parse(make());
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
  expect(bill.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(bill.metadata.timestamp).toBe('2023-11-14T22:13:20.000Z');
  const refs = bill.components.map((one: { 'bom-ref': string }) => one['bom-ref']);
  expect(new Set(refs).size).toBe(parts.length + 1);
  // Every arrow leads to a row.
  for (const { ref, dependsOn } of bill.dependencies)
    for (const to of [ref, ...dependsOn]) expect([bill.metadata.component['bom-ref'], ...refs]).toContain(to);
  expect(bill.components.find((one: { name: string }) => one.name === 'binary').licenses).toEqual([
    { expression: '(MIT OR GPL-2.0-only)' },
  ]);
});

test('the bill is held against what npm installed', () => {
  const [root, ...parts] = shippedWith(LOCK, 'cli');
  const bill = billOfMaterials({ root, parts, sha256: 'ab', madeAt: 1_700_000_000 });
  const late = { '@x/late': { version: '1.0.0' } };
  const under = (version: string, dependencies = {}) => ({
    dependencies: {
      mxproof: { version: '1.0.0', dependencies: { a: { version, dependencies }, elsewhere: {} } },
    },
  });
  expect(compareInstalled(bill, under('1.0.0'))).toEqual({ installed: 2, missing: [], others: [] });
  // Of a package as it was tested, all is known; a newer one may need more.
  expect(compareInstalled(bill, under('1.0.0', late))).toEqual({
    installed: 3,
    missing: ['@x/late@1.0.0'],
    others: [],
  });
  expect(compareInstalled(bill, under('1.0.9', late))).toEqual({
    ...{ installed: 3, missing: [] },
    others: ['@x/late@1.0.0', 'a@1.0.9'],
  });
});
