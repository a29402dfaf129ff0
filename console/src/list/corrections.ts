// Misspelt addresses and what was meant by them. Pure. Promise: what is said to be charged is what the service charges, since
// both pick by the same rule: a suggestion, not deliverable, and not in the list already as it was meant.
import { atDomain, domainText } from '@mxproof/files/address-text';
import type { PlacedRow, ShownRow } from './use-rows.ts';

/** Corrected at once, the commonest first; the others are left for another time. */
const DOMAINS_AT_ONCE = 500;

/** Null: nothing else is meant, mail arrives as it is, or it was not checked. */
export function meantBy({ email, state, suggestion }: ShownRow): string | null {
  if (suggestion == null || state === 'deliverable' || state === 'pending') return null;
  return atDomain(email, suggestion);
}

export interface Misspelt {
  readonly listId: number;
  readonly domain: string;
  readonly suggestion: string;
  /** The whole address. */
  readonly meant: string;
  /** It was checked as it was meant, in a row of its own. */
  readonly isInList: boolean;
}

/** Of a list's own rows, whatever came later. */
export function misspeltIn(rows: readonly PlacedRow[]): readonly Misspelt[] {
  const found = rows.flatMap(({ listId, row }) => {
    const meant = meantBy(row);
    return meant === null
      ? []
      : [{ listId, domain: domainText(row.email), suggestion: row.suggestion!, meant }];
  });
  if (found.length === 0) return [];
  const wanted = new Set(found.map(placeOf));
  const inList = new Set<string>();
  for (const { listId, row } of rows) {
    const place = placeOf({ listId, meant: row.email });
    if (row.state !== 'pending' && wanted.has(place)) inList.add(place);
  }
  return found.map((one) => ({ ...one, isInList: inList.has(placeOf(one)) }));
}

export interface Misspelling {
  readonly domain: string;
  readonly suggestion: string;
  /** Of this domain, still to be checked as they were meant. */
  readonly addresses: number;
}

/** The commonest first. `corrected`: addresses that have been checked since. */
export function misspellingsIn(
  misspelt: readonly Misspelt[],
  corrected: ReadonlySet<string>,
): readonly Misspelling[] {
  const byDomain = new Map<string, Misspelling>();
  for (const { domain, suggestion, meant, isInList } of misspelt) {
    if (isInList || corrected.has(meant)) continue;
    const addresses = (byDomain.get(domain)?.addresses ?? 0) + 1;
    byDomain.set(domain, { domain, suggestion, addresses });
  }
  return [...byDomain.values()]
    .sort((a, b) => b.addresses - a.addresses || (a.domain < b.domain ? -1 : 1))
    .slice(0, DOMAINS_AT_ONCE);
}

/** What the service is asked to correct: of each list the domains, and how many addresses it will check. */
export function toCorrect(
  misspelt: readonly Misspelt[],
  domains: ReadonlySet<string>,
): { readonly lists: ReadonlyMap<number, readonly string[]>; readonly addresses: number } {
  const lists = new Map<number, Set<string>>();
  const places = new Set<string>();
  for (const one of misspelt) {
    if (one.isInList || !domains.has(one.domain)) continue;
    places.add(placeOf(one));
    lists.set(one.listId, (lists.get(one.listId) ?? new Set()).add(one.domain));
  }
  return {
    lists: new Map([...lists].map(([id, names]) => [id, [...names]])),
    addresses: places.size,
  };
}

/** Each list is charged for itself. */
function placeOf({ listId, meant }: Pick<Misspelt, 'listId' | 'meant'>): string {
  return `${listId} ${meant}`;
}
