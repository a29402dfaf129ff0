// What a list consists of: its reasons, details, providers, flags and largest domains, counted row by row.
// Promise: pending rows count in their domain's total alone, and whatever people call a domain is only ever text.
import { REASON_WORDS } from '@mxproof/common/vocabulary/verdicts';
import type { Detail, Reason, State } from '@mxproof/engine';
import { type Counts, noCounts, type Verdicts } from './chunk-results.ts';
import { FLAGS, type Flag, hasFlag } from './result-filter.ts';

export const LARGEST_DOMAINS = 50;
/** 64 of a local part, the `@`, 255 of a domain: a longer text is no address, and belongs to no domain. */
const MAX_MAILBOX_CHARACTERS = 320;
/** Domains per step: small enough that other requests are not delayed. */
const DOMAINS_IN_A_STEP = 2_000;

interface DomainCounts extends Readonly<Counts> {
  readonly domain: string;
  readonly total: number;
}

export interface Breakdown {
  readonly reasons: Readonly<Record<Reason, number>>;
  /** Those that occur. */
  readonly details: Readonly<Partial<Record<Detail, number>>>;
  readonly providers: Readonly<Record<string, number>>;
  readonly flags: Readonly<Record<Flag, number>>;
  readonly domains: DomainCounts[];
}

export interface BreakdownCount {
  add(emails: readonly string[], verdicts: Verdicts): void;
  /** In steps: a list may have as many domains as addresses, and others want their turn in between. */
  result(): Generator<undefined, Breakdown>;
}

type DomainTally = Record<State | 'total', number>;

export function countBreakdown(): BreakdownCount {
  const reasons = Object.fromEntries(REASON_WORDS.map((reason) => [reason, 0])) as Record<Reason, number>;
  const flags = Object.fromEntries(FLAGS.map((flag) => [flag, 0])) as Record<Flag, number>;
  const details = new Map<Detail, number>();
  const providers = new Map<string, number>();
  /** At most one per address, of which a list has at most MAX_ADDRESSES. */
  const domains = new Map<string, DomainTally>();

  function ofDomain(email: string): DomainTally | null {
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
        if (verdict.detail !== null) increment(details, verdict.detail);
        if (verdict.provider !== '') increment(providers, verdict.provider);
        for (const flag of FLAGS) if (hasFlag(verdict, flag)) flags[flag]++;
      }
    },
    *result() {
      return {
        reasons,
        details: mostFirst(details),
        providers: mostFirst(providers),
        flags,
        domains: yield* largest(domains),
      };
    },
  };
}

function increment<Word>(counts: Map<Word, number>, word: Word): void {
  counts.set(word, (counts.get(word) ?? 0) + 1);
}

function mostFirst(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || compare(a, b)));
}

type Entry = readonly [domain: string, counts: DomainTally];

/** Of a hundred thousand domains most are dismissed by one comparison; sorting them all would hold up the thread. */
function* largest(domains: Iterable<Entry>): Generator<undefined, DomainCounts[]> {
  const first: Entry[] = [];
  let seen = 0;
  for (const entry of domains) {
    if (++seen % DOMAINS_IN_A_STEP === 0) yield;
    if (first.length === LARGEST_DOMAINS) {
      if (!comesBefore(entry, first.at(-1)!)) continue;
      first.pop();
    }
    const place = first.findIndex((other) => comesBefore(entry, other));
    first.splice(place < 0 ? first.length : place, 0, entry);
  }
  return first.map(([domain, counts]) => ({ domain, ...counts }));
}

function comesBefore([domain, { total }]: Entry, [other, { total: than }]: Entry): boolean {
  return total !== than ? total > than : domain < other;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
