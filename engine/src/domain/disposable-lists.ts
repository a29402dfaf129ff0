// The two disposable lists, as sets; used only by disposable.ts and free-providers.ts. curated: `disposable-email-domains-js`, the
// community blocklist whose entries are reviewed one by one. gathered: `mailchecker`, six times as long, collected from
// many sources, including old entries and real names.
import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import mailchecker from 'mailchecker';

const curated = new Set<string>(disposableEmailBlocklist());
const gathered: ReadonlySet<string> = mailchecker.blacklist();

export function isOnCuratedDisposableList(domain: string): boolean {
  return curated.has(domain);
}

export function isOnGatheredDisposableList(domain: string): boolean {
  return gathered.has(domain);
}
