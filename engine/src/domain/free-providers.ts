// Free mailbox providers, by domain. Source: the list `free-email-domains`, without what it copies from the disposable
// lists: since 1.12 that package is "free and disposable" in one, and a copy is not a second opinion
// (docs/adr/0003-disposable-lists.md has the figures).
import freeDomains from 'free-email-domains';
import { isOnCuratedDisposableList } from './disposable-lists.ts';

/** Free providers the kept list lacks: Tuta's own domains (tuta.com/support, 2026-11). */
const MISSING = ['tutanota.com', 'tutanota.de', 'tutamail.com', 'tuta.com', 'tuta.io', 'keemail.me'];

const free = new Set<string>(MISSING);
for (const domain of freeDomains) if (!isOnCuratedDisposableList(domain)) free.add(domain);

/** `domain` in ASCII, lower case. */
export function isFree(domain: string): boolean {
  return free.has(domain);
}
