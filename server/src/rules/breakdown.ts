// What a list consists of: its reasons, providers, flags and largest domains, counted row by row.
// Promise: pending rows count in their domain's total alone, and whatever people call a domain is only ever text.
import type { Reason, State, Verdict } from '@mxproof/engine';
import { type Counts, noCounts, REASONS } from './chunk-results.ts';
import { FLAGS, type Flag, hasFlag } from './result-filter.ts';

export const LARGEST_DOMAINS = 50;
/** 64 of a local part, the `@`, 255 of a domain: a longer text is no address, and belongs to no domain. */
const MAX_MAILBOX_CHARACTERS = 320;

export interface DomainCounts extends Readonly<Counts> {
  readonly domain: string;
  readonly total: number;
}

export interface Breakdown {
  readonly reasons: Readonly<Record<Reason, number>>;
  readonly providers: Readonly<Record<string, number>>;
  readonly flags: Readonly<Record<Flag, number>>;
  readonly domains: DomainCounts[];
}

export interface BreakdownCount {
  add(emails: readonly string[], verdicts: readonly (Verdict | null)[]): void;
  result(): Breakdown;
}

type Counting = Record<State | 'total', number>;

export function countBreakdown(): BreakdownCount {
  const reasons = Object.fromEntries(REASONS.map((reason) => [reason, 0])) as Record<Reason, number>;
  const flags = Object.fromEntries(FLAGS.map((flag) => [flag, 0])) as Record<Flag, number>;
  const providers = new Map<string, number>();
  /** At most one per address, of which a list has at most MAX_ADDRESSES. */
  const domains = new Map<string, Counting>();

  function ofDomain(email: string): Counting | null {
    const at = email.lastIndexOf('@');
    if (at < 0 || at === email.length - 1 || email.length > MAX_MAILBOX_CHARACTERS) return null;
    const domain = email.slice(at + 1);
    let counts = domains.get(domain);
    if (!counts) {
      counts = { total: 0, ...noCounts() };
      domains.set(domain, counts);
    }
    return counts;
  }

  return {
    add(emails, verdicts) {
      for (let index = 0; index < verdicts.length; index++) {
        const verdict = verdicts[index];
        const counts = ofDomain(emails[index]!);
        if (counts) counts.total++;
        if (!verdict) continue;
        if (counts) counts[verdict.state]++;
        reasons[verdict.reason]++;
        if (verdict.provider !== '')
          providers.set(verdict.provider, (providers.get(verdict.provider) ?? 0) + 1);
        for (const flag of FLAGS) if (hasFlag(verdict, flag)) flags[flag]++;
      }
    },
    result: () => ({
      reasons,
      providers: Object.fromEntries([...providers].sort(([a, x], [b, y]) => y - x || compare(a, b))),
      flags,
      domains: largest(domains),
    }),
  };
}

/** Of a hundred thousand domains most are dismissed by one comparison; sorting them all would hold up the thread. */
function largest(domains: ReadonlyMap<string, Counting>): DomainCounts[] {
  const first: DomainCounts[] = [];
  for (const [domain, counts] of domains) {
    const last = first.at(-1);
    if (first.length === LARGEST_DOMAINS && !comesBefore(domain, counts, last!)) continue;
    if (first.length === LARGEST_DOMAINS) first.pop();
    const place = first.findIndex((other) => comesBefore(domain, counts, other));
    first.splice(place < 0 ? first.length : place, 0, { domain, ...counts });
  }
  return first;
}

function comesBefore(domain: string, { total }: Counting, other: DomainCounts): boolean {
  return total !== other.total ? total > other.total : domain < other.domain;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
