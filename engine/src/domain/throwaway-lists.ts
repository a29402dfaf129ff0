// The two kept throwaway lists, as sets; only throwaway.ts and free.ts ask them.
// curated: `disposable-email-domains-js`, the community blocklist whose entries are reviewed one by one.
// gathered: `mailchecker`, six times as long, gathered from many sources, old entries and real names included.
import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import mailchecker from 'mailchecker';

const curated = new Set<string>(disposableEmailBlocklist());
const gathered: ReadonlySet<string> = mailchecker.blacklist();

export function isOnCuratedThrowawayList(domain: string): boolean {
  return curated.has(domain);
}

export function isOnGatheredThrowawayList(domain: string): boolean {
  return gathered.has(domain);
}
