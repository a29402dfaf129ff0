// How often verdicts were right, from what became of mail to their addresses. Pure.

import { MIN_OUTCOMES, wilson } from '@mxproof/common/wilson';
import type { State } from '@mxproof/engine';
import type { KeptOutcome } from './stored-outcomes.ts';

const SHOWN_OUTCOMES = [
  'delivered',
  'bounced',
  'full',
  'blocked',
  'complained',
  'unclear',
] as const satisfies readonly KeptOutcome[];
const SHOWN_STATES = ['deliverable', 'risky', 'undeliverable', 'unknown'] as const satisfies readonly State[];

/** Addresses of which one verdict was given and one thing became of their mail. */
export interface AddressCount {
  readonly state: string;
  readonly provider: string;
  readonly detail: string;
  readonly outcome: string;
  readonly count: number;
}

type StateCounts = Record<(typeof SHOWN_OUTCOMES)[number], number>;

interface Rate {
  /** Addresses whose mailbox took the mail, or was said not to exist. */
  readonly n: number;
  readonly bounced: number;
  /** Null: too few. */
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface Accuracy {
  readonly states: Record<(typeof SHOWN_STATES)[number], StateCounts>;
  readonly providers: readonly (Rate & { readonly provider: string; readonly state: string })[];
  readonly details: readonly (Rate & { readonly detail: string })[];
}

/** A complaint comes of mail that was delivered. What is full, blocked or unclear says nothing about whether the verdict was right. */
const TELLS: ReadonlySet<string> = new Set(['delivered', 'complained', 'bounced']);

export function accuracyOf(counts: readonly AddressCount[]): Accuracy {
  const states = Object.fromEntries(
    SHOWN_STATES.map((state) => [
      state,
      Object.fromEntries(
        SHOWN_OUTCOMES.map((outcome) => [
          outcome,
          sum(counts.filter((each) => each.state === state && each.outcome === outcome)),
        ]),
      ),
    ]),
  ) as Accuracy['states'];
  const providers = [...Map.groupBy(counts, ({ provider, state }) => `${provider} ${state}`).values()].map(
    (same) => ({ provider: same[0]!.provider, state: same[0]!.state, ...rateOf(same) }),
  );
  const details = [...Map.groupBy(counts, ({ detail }) => detail)].map(([detail, same]) => ({
    detail,
    ...rateOf(same),
  }));
  return { states, providers: largestFirst(providers), details: largestFirst(details) };
}

function rateOf(counts: readonly AddressCount[]): Rate {
  const telling = counts.filter(({ outcome }) => TELLS.has(outcome));
  const n = sum(telling);
  const bounced = sum(telling.filter(({ outcome }) => outcome === 'bounced'));
  if (n < MIN_OUTCOMES) return { n, bounced, rate: null, low: null, high: null };
  const { low, high } = wilson(bounced, n);
  return { n, bounced, rate: rounded(bounced / n), low: rounded(low), high: rounded(high) };
}

/** A millionth is more than can be told. */
export function rounded(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}

function sum(counts: readonly AddressCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

function largestFirst<Row extends Rate>(rows: readonly Row[]): Row[] {
  return rows.filter(({ n }) => n > 0).sort((one, other) => other.n - one.n);
}
