// Which licences may be shipped. Promise: an expression is allowed only if every part that binds the user is in the list; what
// names none is not.
import { refOf, type Shipped } from './shipped.ts';

/** They ask for their notice at most: none says how a user's own program is to be licensed. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ICU',
  'ISC',
  'LicenseRef-public-domain',
  'MIT',
  'MIT-0',
  'OpenSSL',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

export function isAllowed(license: string): boolean {
  const plain = license.replace(/[()]/g, ' ');
  // `A OR (B AND C)` without its brackets would read otherwise: none of what is shipped needs them.
  if (/ OR /.test(plain) && / AND /.test(plain)) return false;
  const parts = plain.split(/ OR | AND /).map((part) => part.trim());
  return / OR /.test(plain)
    ? parts.some((part) => ALLOWED.has(part))
    : parts.every((part) => ALLOWED.has(part));
}

/** @returns one line for every package that may not be shipped */
export function licenceFaults(shipped: readonly Shipped[]): string[] {
  return shipped
    .filter(({ license }) => license === null || !isAllowed(license))
    .map((one) =>
      one.license === null
        ? `${refOf(one)} names no licence: look into it, and leave it out or add what it has.`
        : `${refOf(one)} has the licence ${one.license}, which is not in the list of scripts/release/licences.ts.`,
    );
}

/** For people: how many packages have which licence, the most frequent first. */
export function countLicences(shipped: readonly Shipped[]): string {
  const counts = new Map<string, number>();
  for (const { license } of shipped) counts.set(license ?? 'none', (counts.get(license ?? 'none') ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([license, count]) => `${license} ${count}`)
    .join(', ');
}
