// How a chunk stores its results: a compact JSON text in which each host name and each time occurs once.
// Promise: a position becomes final once; merging late or twice changes nothing.
import { DETAILS, storedDetail } from '@mxproof/common/vocabulary/details';
import { REASON_WORDS, REASONS } from '@mxproof/common/vocabulary/verdicts';
import type { Detail, Finding, State, Verdict } from '@mxproof/engine';

const FLAG = { acceptAll: 1, role: 2, free: 4, disposable: 8 } as const;

/** reason, score, flags, index of mx (-1: none), index of provider. */
type StoredRow = readonly [
  reason: number,
  score: number,
  flags: number,
  mx: number,
  provider: number,
  /** Not in rows from before 0.2, which have no time either. */
  detail?: number,
  /** Index of the time; left out where it is the first, since most chunks are written at once. */
  at?: number,
];

interface StoredResults {
  /** When rows became final, in Unix seconds. Unset before 0.2. */
  at?: number[];
  mx: string[];
  provider: string[];
  rows: (StoredRow | null)[];
}

export type Counts = Record<State, number>;

export function noCounts(): Counts {
  return { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
}

/** A verdict as it was stored. */
export interface RowVerdict extends Omit<Verdict, 'detail'> {
  /** Null in rows from before 0.2. */
  readonly detail: Detail | null;
  /** When the row became final; null in rows from before 0.2. */
  readonly checkedAtSeconds: number | null;
}

export type Verdicts = readonly (RowVerdict | null)[];

/** Null text: nothing of the chunk is known yet. */
export function readResults(text: string | null, size: number): Verdicts {
  if (text === null) return Array.from({ length: size }, () => null);
  const stored = JSON.parse(text) as StoredResults;
  return stored.rows.map((row) => (row ? readRow(row, stored) : null));
}

function readRow(row: StoredRow, stored: StoredResults): RowVerdict {
  const [reasonIndex, score, flags, mx, provider, detail, at = 0] = row;
  const reason = REASON_WORDS[reasonIndex]!;
  return {
    state: REASONS[reason].state,
    reason,
    detail: detail === undefined ? null : storedDetail(detail),
    checkedAtSeconds: detail === undefined ? null : (stored.at?.[at] ?? null),
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

export interface MergedResults {
  readonly text: string;
  /** What this merge made final. */
  readonly added: Counts;
  readonly addedTotal: number;
  /** The same, which they are. */
  readonly addedAt: readonly number[];
}

/** `atSeconds`: when this becomes final. */
export function mergeResults(
  text: string | null,
  size: number,
  found: ReadonlyMap<number, Verdict>,
  atSeconds: number,
): MergedResults {
  const stored: StoredResults =
    text === null
      ? { at: [], mx: [], provider: [], rows: Array.from({ length: size }, () => null) }
      : (JSON.parse(text) as StoredResults);
  stored.at ??= [];
  const mxIndex = indexer(stored.mx);
  const providerIndex = indexer(stored.provider);
  const added = noCounts();
  const addedAt: number[] = [];
  let at = -1;
  for (const [position, verdict] of found) {
    // Positions out of range come from nowhere; positions that are final stay as they are.
    if (position < 0 || position >= size || stored.rows[position] !== null) continue;
    const flags =
      (verdict.acceptAll ? FLAG.acceptAll : 0) |
      (verdict.role ? FLAG.role : 0) |
      (verdict.free ? FLAG.free : 0) |
      (verdict.disposable ? FLAG.disposable : 0);
    if (at < 0) at = timeIndex(stored.at, atSeconds);
    const reason = REASONS[verdict.reason].stored;
    const mx = verdict.mx === null ? -1 : mxIndex(verdict.mx);
    const provider = providerIndex(verdict.provider);
    const detail = DETAILS[verdict.detail].stored;
    stored.rows[position] =
      at === 0
        ? [reason, verdict.score, flags, mx, provider, detail]
        : [reason, verdict.score, flags, mx, provider, detail, at];
    added[verdict.state]++;
    addedAt.push(position);
  }
  return { text: JSON.stringify(stored), added, addedTotal: addedAt.length, addedAt };
}

const BEFORE_TIME = '{"at":[';

/** Results of a list of one address, around the time that the statement which stores them puts in between. */
export function singleResults(verdict: Verdict): readonly [before: string, after: string] {
  const { text } = mergeResults(null, 1, new Map([[0, verdict]]), 0);
  return [BEFORE_TIME, text.slice(`${BEFORE_TIME}0`.length)];
}

/** Times grow, so that the same one is the last; a clock that was set back costs one entry more. */
function timeIndex(times: number[], atSeconds: number): number {
  return times.at(-1) === atSeconds ? times.length - 1 : times.push(atSeconds) - 1;
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
