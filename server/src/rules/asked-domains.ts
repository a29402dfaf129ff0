// Which domains an account has asked about, and how many of the recipients do not exist.
import { type AskedRecipient, parseAddress } from '@mxproof/engine';

const MAX_DOMAIN_CHARACTERS = 253;
const PLAIN = /^[a-z0-9.-]+$/;
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** As the engine knows it; null: no domain that could be asked. Parsing is left to the rare ones that need it. */
export function askedDomain(email: string): string | null {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (domain.length > MAX_DOMAIN_CHARACTERS) return null;
  if (PLAIN.test(domain)) return domain;
  if (!BEYOND_ASCII.test(domain)) return null;
  const parsed = parseAddress(email);
  return parsed.ok ? parsed.address.domain : null;
}

export interface AskedCount {
  readonly domain: string;
  asked: number;
  unknown: number;
}

/** In the order of their domains. */
export function countAsked(recipients: Iterable<AskedRecipient>): AskedCount[] {
  const counts = new Map<string, AskedCount>();
  for (const { domain, isUnknown } of recipients) {
    if (isUnknown === null) continue;
    const count = counts.get(domain) ?? { domain, asked: 0, unknown: 0 };
    counts.set(domain, count);
    count.asked += 1;
    if (isUnknown) count.unknown += 1;
  }
  return [...counts.values()].sort((one, other) => (one.domain < other.domain ? -1 : 1));
}
