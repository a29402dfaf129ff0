// What an account used, by UTC day. The database counts it as entries are written and lists end; see migration 0005.
import type { Counts } from '../rules/chunk-results.ts';
import type { Tx } from './database.ts';

export interface UsageDay extends Counts {
  /** `2026-11-15`. */
  readonly date: string;
  readonly charged: number;
  readonly refunded: number;
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
