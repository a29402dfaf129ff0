// What rows of results show beside their verdict: how likely mail bounces, and whether the address is suppressed.
import { steadyNow } from '@mxproof/common/steady-now';
import type { ResultRow } from '../../flow/read-results.ts';
import type { Parts, RowFields, RowValue } from '../../http/route-parts.ts';
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

/** As rows show it. */
type EstimateValues = readonly RowValue[];
type Estimator = (row: ResultRow) => EstimateValues;

const UNKNOWN: EstimateValues = [null, null, null, null, null];
const [IS_SUPPRESSED, NOT_SUPPRESSED] = [[true], [false]] as const;

export function outcomeRowFields({ context }: Pick<Parts, 'context'>): RowFields[] {
  const estimators = keptFor((accountId) => readEstimator(context.db, accountId));
  return [
    {
      word: 'estimate',
      columns: ['bounce_probability', 'bounce_low', 'bounce_high', 'bounce_n', 'bounce_basis'],
      async valuesOf(accountId, rows) {
        const estimator = await estimators(accountId);
        return rows.map(estimator);
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
        return hashes.map((hash) =>
          hash !== null && suppressed.has(hash.toString('hex')) ? IS_SUPPRESSED : NOT_SUPPRESSED,
        );
      },
    },
  ];
}

/** Every estimate there is, made with the tallies: a row only looks up its own. */
async function readEstimator(tx: Tx, accountId: number): Promise<Estimator> {
  const groups = await tallies(tx, accountId);
  const tallyOf = new Map<string, Tally>(
    groups.map((group) => [nameOf(group.detail, group.provider, group.domain), group]),
  );
  const tallied = (name: string) => tallyOf.get(name) ?? NO_TALLY;
  const values = new Map<string, EstimateValues>();
  for (const { detail, provider, domain } of groups) {
    const estimate = estimateOf(
      tallied(nameOf(detail)),
      provider === null ? NO_TALLY : tallied(nameOf(detail, provider)),
      domain === null ? NO_TALLY : tallied(nameOf(detail, provider, domain)),
    );
    if (estimate !== null) values.set(nameOf(detail, provider, domain), valuesOf(estimate));
  }
  return ({ email, verdict }) => {
    if (!verdict?.detail) return UNKNOWN;
    const { detail, provider } = verdict;
    return (
      values.get(nameOf(detail, provider, askedDomain(email))) ??
      values.get(nameOf(detail, provider)) ??
      values.get(nameOf(detail)) ??
      UNKNOWN
    );
  };
}

function valuesOf({ probability, low, high, n, basis }: Estimate): EstimateValues {
  return [rounded(probability), rounded(low), rounded(high), n, basis];
}

/** None of these words has a space or is a star. */
function nameOf(detail: string, provider: string | null = null, domain: string | null = null): string {
  return `${detail} ${provider ?? '*'} ${domain ?? '*'}`;
}

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
