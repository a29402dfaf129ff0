// How a chunk stores its results: a compact JSON text in which each host name occurs once.
// Promise: a position becomes final once; merging late or twice changes nothing.
import type { Finding, Reason, State, Verdict } from '@mxproof/engine';

/** The reason says the state; the index is stored, so the order never changes: append only. */
export const REASONS = [
  'accepted_email',
  'low_deliverability',
  'low_quality',
  'disposable',
  'rejected_email',
  'invalid_domain',
  'invalid_email',
  'unavailable_smtp',
  'no_connect',
  'dns_error',
] as const satisfies readonly Reason[];

export const STATE_OF: Readonly<Record<Reason, State>> = {
  accepted_email: 'deliverable',
  low_deliverability: 'risky',
  low_quality: 'risky',
  disposable: 'risky',
  rejected_email: 'undeliverable',
  invalid_domain: 'undeliverable',
  invalid_email: 'undeliverable',
  unavailable_smtp: 'unknown',
  no_connect: 'unknown',
  dns_error: 'unknown',
};

const FLAG = { acceptAll: 1, role: 2, free: 4, disposable: 8 } as const;

/** reason, score, flags, index of mx (-1: none), index of provider. */
type StoredRow = readonly [reason: number, score: number, flags: number, mx: number, provider: number];

interface StoredResults {
  mx: string[];
  provider: string[];
  rows: (StoredRow | null)[];
}

export type Counts = Record<State, number>;

export function noCounts(): Counts {
  return { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
}

export type Verdicts = readonly (Verdict | null)[];

/** Null text: nothing of the chunk is known yet. */
export function readResults(text: string | null, size: number): Verdicts {
  if (text === null) return Array.from({ length: size }, () => null);
  const stored = JSON.parse(text) as StoredResults;
  return stored.rows.map((row) => (row ? readRow(row, stored) : null));
}

function readRow(row: StoredRow, stored: StoredResults): Verdict {
  const [reasonIndex, score, flags, mx, provider] = row;
  const reason = REASONS[reasonIndex]!;
  return {
    state: STATE_OF[reason],
    reason,
    detail: 'unclear',
    score,
    acceptAll: (flags & FLAG.acceptAll) !== 0,
    role: (flags & FLAG.role) !== 0,
    free: (flags & FLAG.free) !== 0,
    disposable: (flags & FLAG.disposable) !== 0,
    mx: mx < 0 ? null : stored.mx[mx]!,
    provider: stored.provider[provider]!,
  };
}

/** The part of a finding that a chunk's results keep. */
export function storedVerdict(finding: Finding): Verdict {
  const { state, reason, detail, score, acceptAll, role, free, disposable, mx, provider } = finding;
  return { state, reason, detail, score, acceptAll, role, free, disposable, mx, provider };
}

export interface Merged {
  readonly text: string;
  /** What this merge made final. */
  readonly added: Counts;
  readonly addedTotal: number;
}

export function mergeResults(text: string | null, size: number, found: ReadonlyMap<number, Verdict>): Merged {
  const stored: StoredResults =
    text === null
      ? { mx: [], provider: [], rows: Array.from({ length: size }, () => null) }
      : (JSON.parse(text) as StoredResults);
  const mxIndex = indexer(stored.mx);
  const providerIndex = indexer(stored.provider);
  const added = noCounts();
  let addedTotal = 0;
  for (const [position, verdict] of found) {
    // Positions out of range come from nowhere; positions that are final stay as they are.
    if (position < 0 || position >= size || stored.rows[position] !== null) continue;
    const flags =
      (verdict.acceptAll ? FLAG.acceptAll : 0) |
      (verdict.role ? FLAG.role : 0) |
      (verdict.free ? FLAG.free : 0) |
      (verdict.disposable ? FLAG.disposable : 0);
    stored.rows[position] = [
      REASONS.indexOf(verdict.reason),
      verdict.score,
      flags,
      verdict.mx === null ? -1 : mxIndex(verdict.mx),
      providerIndex(verdict.provider),
    ];
    added[verdict.state]++;
    addedTotal++;
  }
  return { text: JSON.stringify(stored), added, addedTotal };
}

function indexer(words: string[]): (word: string) => number {
  const known = new Map(words.map((word, index) => [word, index]));
  return (word) => {
    let index = known.get(word);
    if (index === undefined) {
      index = words.push(word) - 1;
      known.set(word, index);
    }
    return index;
  };
}
