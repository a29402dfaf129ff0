// What the database knows of the deployment as a whole, as numbers for its metrics.
// Promise: reads only, each statement within its limit; a part that takes longer is null, and the others are read; nothing of it
// names an account or a list.

import { type Database, isTooSlow, type Tx } from '../../store/database.ts';
import { type QueueState, readQueues } from '../../store/queues.ts';
import type { BackupState } from '../backup/backup-schedule.ts';
import { readBackupState } from '../backup/stored-nightly.ts';
import { countEndpoints, type EndpointCounts } from '../webhooks/stored-endpoints.ts';

/** Of each part. */
const STATEMENT_LIMIT_MS = 1_000;

/** Null: too slow to read. */
export type MeasuredState = { readonly [Part in keyof MeasuredParts]: MeasuredParts[Part] | null };

export interface MeasuredParts {
  readonly jobs: readonly QueueState[];
  /** Addresses between two attempts. */
  readonly deferred: readonly {
    readonly why: string;
    readonly provider: string | null;
    readonly addresses: number;
  }[];
  /** A source is empty for the machine's own. */
  readonly rests: readonly { readonly source: string; readonly provider: string }[];
  /** What was asked in the hour and the day of now. */
  readonly budgets: readonly {
    readonly source: string;
    readonly key: string;
    readonly inHour: number;
    readonly inDay: number;
  }[];
  readonly endpoints: EndpointCounts;
  readonly credits: readonly ({ readonly isTest: boolean } & Money)[];
  readonly backups: BackupState;
}

type Money = {
  readonly granted: number;
  readonly charged: number;
  readonly refunded: number;
};

/** Days that no transaction can change any more are added up once. */
export class MoneyOfPast {
  #known: { readonly from: number; readonly rows: readonly PastMoney[] } | null = null;

  /** Before the day `from`, which is counted since the epoch. */
  async before(tx: Tx, from: number): Promise<readonly PastMoney[]> {
    if (this.#known?.from !== from) this.#known = { from, rows: await readPastMoney(tx, from) };
    return this.#known.rows;
  }
}

type PastMoney = { isTest: boolean; charged: number; refunded: number };

/** A transaction's entries are of the day on which it began. */
const OPEN_DAYS = 2;

export function readMeasuredState(db: Database, past: MoneyOfPast): Promise<MeasuredState> {
  return db.transaction(async (tx) => {
    await tx.query(`SET LOCAL statement_timeout = ${STATEMENT_LIMIT_MS}`);
    await tx.query('SET TRANSACTION READ ONLY');
    return {
      jobs: await inTime(tx, readQueues),
      deferred: await inTime(tx, readDeferred),
      rests: await inTime(tx, readRests),
      budgets: await inTime(tx, readBudgets),
      endpoints: await inTime(tx, countEndpoints),
      credits: await inTime(tx, () => readCredits(tx, past)),
      backups: await inTime(tx, readBackupState),
    };
  });
}

async function inTime<T>(tx: Tx, read: (tx: Tx) => Promise<T>): Promise<T | null> {
  await tx.query('SAVEPOINT part');
  try {
    return await read(tx);
  } catch (error) {
    if (!isTooSlow(error)) throw error;
    await tx.query('ROLLBACK TO SAVEPOINT part');
    return null;
  }
}

function readDeferred(tx: Tx) {
  return tx.query<MeasuredParts['deferred'][number]>(
    `SELECT CASE WHEN d.not_before <= now() THEN 'queued' ELSE x.why END AS why, x.provider,
       sum(x.addresses)::bigint AS addresses
     FROM mxproof.deferred d JOIN mxproof.lists l ON l.id = d.list_id AND l.paused_at IS NULL CROSS JOIN LATERAL jsonb_to_recordset(d.groups)
       AS x (why text, provider text, addresses int) GROUP BY 1, 2`,
  );
}

function readRests(tx: Tx) {
  return tx.query<MeasuredParts['rests'][number]>(
    `SELECT source, provider FROM mxproof.source_states
     WHERE resting_since IS NOT NULL AND (resting_until IS NULL OR resting_until > now())`,
  );
}

function readBudgets(tx: Tx) {
  return tx.query<MeasuredParts['budgets'][number]>(
    `WITH now AS (SELECT floor(extract(epoch FROM now()))::bigint AS seconds)
     SELECT source, budget AS key,
       CASE WHEN hour >= seconds / 3600 THEN hour_count ELSE 0 END AS "inHour",
       CASE WHEN day >= seconds / 86400 THEN day_count ELSE 0 END AS "inDay"
     FROM mxproof.recipient_windows, now WHERE day >= seconds / 86400`,
  );
}

async function readCredits(tx: Tx, past: MoneyOfPast): Promise<MeasuredParts['credits']> {
  const rows = await tx.query<Money & { isTest: boolean; openFrom: number }>(
    `WITH open AS (SELECT (now() AT TIME ZONE 'UTC')::date - ${OPEN_DAYS - 1} AS day)
     SELECT a.test_of IS NOT NULL AS "isTest", open.day - date '1970-01-01' AS "openFrom",
       sum(a.credits + a.used)::bigint AS granted,
       sum(m.charged)::bigint AS charged, sum(m.refunded)::bigint AS refunded
     FROM open, mxproof.accounts a CROSS JOIN LATERAL (
       SELECT coalesce(sum(charged), 0) AS charged, coalesce(sum(refunded), 0) AS refunded
       FROM mxproof.money_days d, open WHERE d.account_id = a.id AND d.day >= open.day) m
     GROUP BY 1, 2`,
  );
  const before = rows[0] ? await past.before(tx, rows[0].openFrom) : [];
  return rows.map(({ isTest, granted, charged, refunded }) => {
    const earlier = before.find((one) => one.isTest === isTest);
    return {
      isTest,
      granted,
      charged: charged + (earlier?.charged ?? 0),
      refunded: refunded + (earlier?.refunded ?? 0),
    };
  });
}

function readPastMoney(tx: Tx, from: number): Promise<PastMoney[]> {
  return tx.query<PastMoney>(
    `SELECT a.test_of IS NOT NULL AS "isTest", sum(d.charged)::bigint AS charged, sum(d.refunded)::bigint AS refunded
     FROM mxproof.money_days d JOIN mxproof.accounts a ON a.id = d.account_id
     WHERE d.day < date '1970-01-01' + $1::int GROUP BY 1`,
    [from],
  );
}
