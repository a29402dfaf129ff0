// Mail to simulated domains, some of it known and some held back, and how often the held-back mail bounces where the estimate says so
// and so often. Pure: the same every time.
import { wilson } from '@mxproof/common/wilson';
import { createRandom } from '../../world/src/random.ts';
import { estimateOf, NO_TALLY, type Tally } from '../src/features/outcomes/estimate.ts';

/** Estimates around a tenth: 0 to 5 %, 5 to 15 %, 15 to 25 % … */
export interface Bin {
  /** The mean of them. */
  readonly estimated: number;
  /** Of the mail that was held back. */
  readonly bounced: number;
  readonly n: number;
  /** Where the share of what bounces is, with 95 % certainty. */
  readonly low: number;
  readonly high: number;
}

const SEED = 4_511;
/** Of six providers. */
const RATES = [0.02, 0.05, 0.1, 0.18, 0.35, 0.6] as const;
const DOMAINS_EACH = 2_000;
/** Fewer than so many outcomes of each domain are known. */
const KNOWN_MAX = 40;
const BINS = 10;

type Random = ReturnType<typeof createRandom>;

/** `alike`: rates of domains are drawn around their provider's as Beta(alike·p, alike·(1−p)) has them. By tenth. */
export function heldBackMail(alike: number): ReadonlyMap<number, Bin> {
  const random = createRandom(SEED + alike);
  const providers = RATES.map((rate) =>
    Array.from({ length: DOMAINS_EACH }, () => {
      const share = betaOf(random, alike * rate, alike * (1 - rate));
      const mailTo = (n: number): Tally => ({
        n,
        bounced: Array.from({ length: n }, () => random.next()).filter((at) => at < share).length,
      });
      const known = mailTo(Math.floor(random.next() * KNOWN_MAX));
      return { known, later: mailTo(1) };
    }),
  );
  const ofProvider = providers.map((domains) => sum(domains.map(({ known }) => known)));
  const ofDetail = sum(ofProvider);
  const bins = new Map<number, { estimates: number; later: Tally }>();
  for (const [at, domains] of providers.entries())
    for (const { known, later } of domains) {
      const { probability } = estimateOf(ofDetail, ofProvider[at]!, known)!;
      const tenth = Math.round(probability * BINS);
      const { estimates, later: before } = bins.get(tenth) ?? { estimates: 0, later: NO_TALLY };
      bins.set(tenth, { estimates: estimates + probability, later: sum([before, later]) });
    }
  return new Map(
    [...bins]
      .sort(([one], [other]) => one - other)
      .map(([tenth, { estimates, later }]) => [
        tenth,
        { estimated: estimates / later.n, ...later, ...wilson(later.bounced, later.n) },
      ]),
  );
}

function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (all, each) => ({ n: all.n + each.n, bounced: all.bounced + each.bounced }),
    NO_TALLY,
  );
}

function betaOf(random: Random, a: number, b: number): number {
  const [one, other] = [gammaOf(random, a), gammaOf(random, b)];
  return one / (one + other);
}

/** Marsaglia and Tsang. */
function gammaOf(random: Random, shape: number): number {
  if (shape < 1) return gammaOf(random, shape + 1) * random.next() ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    const v = (1 + normal / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random.next()) < normal ** 2 / 2 + d * (1 - v + Math.log(v))) return d * v;
  }
}
