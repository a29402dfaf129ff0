// `npm ci` warns of every package that does not want the Node it runs on: none may want a newer one than README names.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const oldest = /Linux with Node (\d+\.\d+) or newer/.exec(read('README.md'))![1]!;

type Version = readonly number[];
const versionOf = (text: string): Version => text.split('.').map((part) => Number.parseInt(part, 10) || 0);
const isAtLeast = (version: Version, other: Version) => {
  const at = [0, 1, 2].find((place) => (version[place] ?? 0) !== (other[place] ?? 0));
  return at === undefined || (version[at] ?? 0) > (other[at] ?? 0);
};

/** As much of npm's ranges as the packages here use. */
function allows(range: string, version: Version): boolean {
  return range.split('||').some((alternative) =>
    [...alternative.matchAll(/(>=|<=|>|<|\^|~)?\s*v?([\d.x*]+)/g)].every(([, sign, text]) => {
      const bound = versionOf(text!);
      if (text === '*') return true;
      if (sign === '>=' || sign === '>') return isAtLeast(version, bound);
      if (sign === '<' || sign === '<=') return !isAtLeast(version, bound);
      return version[0] === bound[0] && isAtLeast(version, bound);
    }),
  );
}

test('every locked package allows the oldest Node that README names', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version?: string; engines?: { node?: string } }>;
  };
  const ranged = Object.entries(packages).filter(([, { engines }]) => engines?.node !== undefined);
  expect(ranged.length).toBeGreaterThan(100);
  const newer = ranged.filter(([, { engines }]) => !allows(engines!.node!, versionOf(oldest)));
  expect(newer.map(([path, { version, engines }]) => `${path} ${version}: ${engines!.node}`)).toEqual([]);
});

test('a range is read as npm reads it', () => {
  const allowing = (range: string) => allows(range, versionOf('20.19'));
  for (const range of ['>=20', '^18.18.0 || ^20.9.0 || >=21.1.0', '>= 14', '*', '>=18 <25', '20 || >=22'])
    expect(allowing(range), range).toBe(true);
  for (const range of ['>=22', '^22.12.0 || ^24.0.0 || >=26.0.0', '>=20.20', '^20.19.1 || >=22', '>=18 <20'])
    expect(allowing(range), range).toBe(false);
});
