// What rows of results show beside their verdict: how likely mail bounces, and whether the address is suppressed.
import { steadyNow } from '@mxproof/common/steady-now';
import type { ResultRow } from '../../flow/read-results.ts';
import type { Parts, RowFields } from '../../http/route-parts.ts';
import { askedDomain } from '../../rules/asked-domains.ts';
import type { Tx } from '../../store/database.ts';
import { rounded } from './accuracy.ts';
import { type Estimate, estimateOf, NO_TALLY, type Tally } from './estimate.ts';
import { hashAddresses } from './hash-addresses.ts';
import { tallies } from './stored-outcomes.ts';
import { suppressedAmong } from './stored-suppressions.ts';

/** A list is read page by page: what became of mail is added up once for many pages. */
const KEPT_MS = 60_000;
const KEPT_ACCOUNTS = 32;

type Estimator = (row: ResultRow) => Estimate | null;

export function outcomeRowFields({ context }: Pick<Parts, 'context'>): RowFields[] {
  const estimators = keptFor((accountId) => readEstimator(context.db, accountId));
  return [
    {
      word: 'estimate',
      columns: ['bounce_probability', 'bounce_low', 'bounce_high', 'bounce_n', 'bounce_basis'],
      async valuesOf(accountId, rows) {
        const estimator = await estimators(accountId);
        return rows.map((row) => {
          const estimate = estimator(row);
          if (estimate === null) return [null, null, null, null, null];
          const { probability, low, high, n, basis } = estimate;
          return [rounded(probability), rounded(low), rounded(high), n, basis];
        });
      },
    },
    {
      word: 'suppressed',
      columns: ['suppressed'],
      async valuesOf(accountId, rows) {
        const hashes = await hashAddresses(
          context,
          rows.map(({ email }) => email),
        );
        const asked = hashes.filter((hash) => hash !== null);
        const suppressed = await suppressedAmong(context.db, accountId, asked);
        return hashes.map((hash) => [hash !== null && suppressed.has(hash.toString('hex'))]);
      },
    },
  ];
}

async function readEstimator(tx: Tx, accountId: number): Promise<Estimator> {
  const groups = new Map<string, Tally>();
  for (const { detail, provider, domain, n, bounced } of await tallies(tx, accountId))
    groups.set(nameOf(detail, provider, domain), { n, bounced });
  const tallyOf = (detail: string, provider: string | null, domain: string | null) =>
    groups.get(nameOf(detail, provider, domain)) ?? NO_TALLY;
  return ({ email, verdict }) => {
    if (!verdict?.detail) return null;
    const { detail, provider } = verdict;
    const domain = askedDomain(email);
    return estimateOf(
      tallyOf(detail, null, null),
      tallyOf(detail, provider, null),
      domain === null ? NO_TALLY : tallyOf(detail, provider, domain),
    );
  };
}

const nameOf = (...parts: (string | null)[]) => JSON.stringify(parts);

/** Of the accounts that asked last. */
function keptFor<Value>(read: (accountId: number) => Promise<Value>): (accountId: number) => Promise<Value> {
  const kept = new Map<number, { readonly value: Promise<Value>; readonly sinceMs: number }>();
  return (accountId) => {
    const known = kept.get(accountId);
    if (known && steadyNow() - known.sinceMs < KEPT_MS) return known.value;
    const value = read(accountId);
    kept.delete(accountId);
    kept.set(accountId, { value, sinceMs: steadyNow() });
    value.catch(() => kept.delete(accountId));
    if (kept.size > KEPT_ACCOUNTS) kept.delete(kept.keys().next().value!);
    return value;
  };
}
