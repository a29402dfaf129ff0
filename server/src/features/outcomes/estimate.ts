// How likely mail to an address bounces, by what became of the account's mail to addresses with the same detail: to its domain,
// to its provider, and to all. Pure (docs/adr/0103).
// Promise: what was observed of a group counts as it is; of the wider group, without this one, as much as BORROWED addresses at
// most. Where nothing was observed, nothing is said.
import { wilson } from '@mxproof/common/wilson';

/** What a wider group weighs, in addresses: a group of its own this size decides as much as all beyond it. */
const BORROWED = 20;

export interface Tally {
  /** Addresses whose mail was delivered or bounced. */
  readonly n: number;
  readonly bounced: number;
}

export const NO_TALLY: Tally = { n: 0, bounced: 0 };

export interface Estimate {
  readonly probability: number;
  readonly low: number;
  readonly high: number;
  /** Addresses of the narrowest group of which something is known. */
  readonly n: number;
  readonly basis: 'domain' | 'provider' | 'detail';
}

/** Each tally includes the narrower ones: all of the detail, of its provider, and of its domain at that provider. */
export function estimateOf(detail: Tally, provider: Tally, domain: Tally): Estimate | null {
  const [n, basis] =
    domain.n > 0
      ? ([domain.n, 'domain'] as const)
      : provider.n > 0
        ? ([provider.n, 'provider'] as const)
        : ([detail.n, 'detail'] as const);
  if (n === 0) return null;
  const others = minus(detail, provider);
  const shrunken =
    basis === 'detail'
      ? detail
      : basis === 'provider'
        ? borrow(provider, others)
        : borrow(domain, borrow(minus(provider, domain), others));
  return { probability: shrunken.bounced / shrunken.n, ...wilson(shrunken.bounced, shrunken.n), n, basis };
}

function minus(all: Tally, some: Tally): Tally {
  return { n: all.n - some.n, bounced: all.bounced - some.bounced };
}

function borrow(own: Tally, wider: Tally): Tally {
  if (wider.n === 0) return own;
  const weight = Math.min(BORROWED, wider.n);
  return { n: own.n + weight, bounced: own.bounced + (weight * wider.bounced) / wider.n };
}
