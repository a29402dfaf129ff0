// The table of sources and providers: what each cell is called and which figures it shows. Pure.
import type { SourceCounts, SourceHealth } from '@mxproof/client/admin';
import { providerName } from '@mxproof/common/vocabulary/providers';

/** The worst first: in this order a list of them is read. */
export const HEALTH_STATES = ['refused', 'resting', 'deferring', 'warming', 'fine', 'idle'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Of what was asked; fewer are the accidents of any day. */
const REFUSED_SHARE = 0.02;
/** Greylisting defers a first attempt at many servers. */
const DEFERRED_SHARE = 0.2;

const NO_COUNTS: SourceCounts = {
  asked: 0,
  accepted: 0,
  unknown_recipients: 0,
  deferred: 0,
  refused: { block: 0, rate: 0, ptr: 0, policy: 0 },
};

/** What the machine's own address, which has no name, is called in a path. */
const OWN_SOURCE = 'own';

export interface Pair {
  readonly source: string;
  readonly provider: string;
}

/** A source at a provider that it has asked nothing of. */
export function nothingAsked(source: string, provider: string): SourceHealth {
  return {
    id: source || OWN_SOURCE,
    source,
    provider,
    today: NO_COUNTS,
    last_week: NO_COUNTS,
    refusal: null,
    rest: null,
    warm_up: null,
  };
}

export interface Cell {
  readonly pair: SourceHealth;
  readonly state: HealthState;
  /** What the state was judged by. */
  readonly over: 'today' | 'last_week';
}

export interface Matrix {
  readonly sources: readonly string[];
  readonly providers: readonly string[];
  /** By source, then by provider. */
  readonly cells: readonly (readonly Cell[])[];
  readonly count: Readonly<Record<HealthState, number>>;
}

/**
 * Rows and columns keep their places, whatever the figures: what is looked at must not move.
 * @param now by the service's clock
 */
export function matrixOf(pairs: readonly SourceHealth[], now: number): Matrix {
  const sources = [...new Set(pairs.map(({ source }) => source))].sort(byName);
  const providers = [...new Set(pairs.map(({ provider }) => provider))].sort(byProvider);
  const known = new Map(pairs.map((pair) => [keyOf(pair), pair]));
  const cells = sources.map((source) =>
    providers.map((provider) =>
      cellOf(known.get(keyOf({ source, provider })) ?? nothingAsked(source, provider), now),
    ),
  );
  const count = Object.fromEntries(HEALTH_STATES.map((state) => [state, 0])) as Record<HealthState, number>;
  for (const { state } of cells.flat()) count[state] += 1;
  return { sources, providers, cells, count };
}

export const keyOf = ({ source, provider }: Pair) => `${source} ${provider}`;

/** 192.0.2.9 before 192.0.2.10; the machine's own address first. */
const byName = new Intl.Collator('en', { numeric: true }).compare;

/** As people read their names; the rest of the world last. */
function byProvider(a: string, b: string): number {
  return Number(a === 'other') - Number(b === 'other') || byName(providerName(a), providerName(b));
}

export function cellOf(pair: SourceHealth, now: number): Cell {
  const over = isEmpty(pair.today) && !isEmpty(pair.last_week) ? 'last_week' : 'today';
  return { pair, over, state: stateOf(pair, pair[over], now) };
}

function isEmpty(counts: SourceCounts): boolean {
  return counts.asked === 0 && refusedOf(counts) === 0;
}

function stateOf(pair: SourceHealth, counts: SourceCounts, now: number): HealthState {
  if (isResting(pair, now)) return 'resting';
  if (refusedShare(counts) >= REFUSED_SHARE) return 'refused';
  if (deferredShare(counts) >= DEFERRED_SHARE) return 'deferring';
  if (pair.warm_up) return 'warming';
  return isEmpty(counts) ? 'idle' : 'fine';
}

/** After refusals, it rests until one try has been answered, however late that is made. */
function isResting({ rest }: SourceHealth, now: number): boolean {
  return rest !== null && (rest.until === null || rest.until > now || rest.by === 'refusals');
}

function refusedOf({ refused }: SourceCounts): number {
  return refused.block + refused.rate + refused.ptr + refused.policy;
}

/** Of 0 to 1. A connection may be refused before any recipient is named. */
export function refusedShare(counts: SourceCounts): number {
  const refused = refusedOf(counts);
  return share(refused, Math.max(counts.asked, refused));
}

export const deferredShare = ({ deferred, asked }: SourceCounts): number => share(deferred, asked);

export const unknownShare = ({ unknown_recipients, asked }: SourceCounts): number =>
  share(unknown_recipients, asked);

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}
