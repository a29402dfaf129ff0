// What an account used, by UTC day. Charges and refunds are counted by the ledger itself (migration 0005), results here,
// in the transaction that ends their list. Locked last of all: list, chunks, account, day.
import type { Counts } from '../rules/chunk-results.ts';
import type { Tx } from './database.ts';

export interface UsageDay extends Counts {
  /** `2026-11-15`. */
  readonly date: string;
  readonly charged: number;
  readonly refunded: number;
}

/** Rows per account and day, so that concurrent transactions mostly update different ones. */
const SLOTS = 16;

/** The rest of a statement that begins with the rows to count: account and counts, ordered by account. */
export const COUNT_RESULTS = {
  into: `INSERT INTO mxproof.result_days AS d (day, slot, account_id, deliverable, risky, undeliverable, unknown)
         SELECT (now() AT TIME ZONE 'UTC')::date, pg_backend_pid() % ${SLOTS}, `,
  onConflict: `ON CONFLICT (account_id, day, slot) DO UPDATE SET
         deliverable = d.deliverable + excluded.deliverable, risky = d.risky + excluded.risky,
         undeliverable = d.undeliverable + excluded.undeliverable, unknown = d.unknown + excluded.unknown`,
} as const;

/** Of a list that has just ended, or goes away unfinished. */
export async function countResults(tx: Tx, { accountId, counts }: { accountId: number; counts: Counts }) {
  const { deliverable, risky, undeliverable, unknown } = counts;
  if (deliverable + risky + undeliverable + unknown === 0) return;
  await tx.prepared('count-results', `${COUNT_RESULTS.into} $1, $2, $3, $4, $5 ${COUNT_RESULTS.onConflict}`, [
    accountId,
    deliverable,
    risky,
    undeliverable,
    unknown,
  ]);
}

/** The last so many days, today's the last of them; days without anything included. */
export async function usageOf(tx: Tx, accountId: number, days: number): Promise<UsageDay[]> {
  return tx.query<UsageDay & Record<string, unknown>>(
    `WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day),
     days AS (SELECT today.day - back AS day FROM today, generate_series($2::int - 1, 0, -1) AS back)
     SELECT to_char(days.day, 'YYYY-MM-DD') AS date,
            coalesce(m.charged, 0) AS charged, coalesce(m.refunded, 0) AS refunded,
            coalesce(r.deliverable, 0)::bigint AS deliverable, coalesce(r.risky, 0)::bigint AS risky,
            coalesce(r.undeliverable, 0)::bigint AS undeliverable, coalesce(r.unknown, 0)::bigint AS unknown
     FROM days
     LEFT JOIN mxproof.money_days m ON m.account_id = $1 AND m.day = days.day
     LEFT JOIN (SELECT day, sum(deliverable) AS deliverable, sum(risky) AS risky,
                       sum(undeliverable) AS undeliverable, sum(unknown) AS unknown
                FROM mxproof.result_days WHERE account_id = $1 AND day > (SELECT day FROM today) - $2::int
                GROUP BY 1) r ON r.day = days.day
     ORDER BY days.day`,
    [accountId, days],
  );
}
