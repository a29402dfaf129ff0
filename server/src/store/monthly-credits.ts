// Monthly credits of accounts: how many, and the month that is granted next. They are granted in ledger.ts.
import type { Tx } from './database.ts';

const ACCOUNTS_AT_ONCE = 100;

/** The first day of the month (UTC) of a time, or of the database's own where it is null. */
const monthOf = (time: string) =>
  `date_trunc('month', coalesce(${time}::timestamptz, now()) AT TIME ZONE 'UTC')::date`;

/** Null: none any more. They begin with the next month; another number of them changes no date. `now`: for tests. */
export async function setMonthlyCredits(
  tx: Tx,
  id: number,
  credits: number | null,
  now: Date | null = null,
): Promise<void> {
  await tx.query(
    `UPDATE mxproof.accounts SET monthly_credits = $2::bigint,
       monthly_from = CASE WHEN $2::bigint IS NOT NULL THEN coalesce(monthly_from, (${monthOf('$3')} + interval '1 month')::date) END
     WHERE id = $1`,
    [id, credits, now],
  );
}

/** Of which a month has begun that is not granted; the one that waits longest first. Null: now. */
export async function accountsDueMonthly(
  tx: Tx,
  now: Date | null,
  except: readonly number[],
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT id FROM mxproof.accounts WHERE monthly_from <= ${monthOf('$1')} AND id <> ALL($2::bigint[])
     ORDER BY monthly_from, id LIMIT ${ACCOUNTS_AT_ONCE}`,
    [now, except],
  );
  return rows.map(({ id }) => id);
}

export interface DueMonths {
  /** Of each month. */
  readonly amount: number;
  /** The first that is not granted. */
  readonly from: string;
  readonly thisMonth: string;
  readonly isSuspended: boolean;
  /** What the account has. */
  readonly credits: number;
}

/** Until the transaction ends, nothing of it changes. Null: the account has no monthly credits. */
export async function lockMonths(tx: Tx, id: number, now: Date | null): Promise<DueMonths | null> {
  const [row] = await tx.query<{ [Field in keyof DueMonths]: DueMonths[Field] }>(
    `SELECT monthly_credits AS amount, to_char(monthly_from, 'YYYY-MM-DD') AS from,
       to_char(${monthOf('$2')}, 'YYYY-MM-DD') AS "thisMonth", suspended_at IS NOT NULL AS "isSuspended", credits
     FROM mxproof.accounts WHERE id = $1 AND monthly_from IS NOT NULL FOR NO KEY UPDATE`,
    [id, now],
  );
  return row ?? null;
}

export async function setNextMonth(tx: Tx, id: number, month: string): Promise<void> {
  await tx.query('UPDATE mxproof.accounts SET monthly_from = $2 WHERE id = $1', [id, month]);
}
