// What became of the mail of an account, as the console shows it: for its tests and its pictures.
import type { Database } from '../src/store/database.ts';

export type OutcomeRows = readonly (readonly [
  count: number,
  outcome: string,
  state: string,
  detail: string,
  provider: string,
])[];

/** Of 12,480 addresses called deliverable 31 bounced, and the rest of a month. */
export const MONTH: OutcomeRows = [
  [9_109, 'delivered', 'deliverable', 'accepted', 'google'],
  [11, 'bounced', 'deliverable', 'accepted', 'google'],
  [2_210, 'delivered', 'deliverable', 'accepted', 'microsoft'],
  [9, 'bounced', 'deliverable', 'accepted', 'microsoft'],
  [1_108, 'delivered', 'deliverable', 'accepted', 'other'],
  [10, 'bounced', 'deliverable', 'accepted', 'other'],
  [21, 'delivered', 'deliverable', 'accepted', 'apple'],
  [1, 'complained', 'deliverable', 'accepted', 'apple'],
  [1, 'bounced', 'deliverable', 'accepted', 'apple'],
  [12, 'full', 'deliverable', 'accepted', 'google'],
  [7, 'blocked', 'deliverable', 'accepted', 'microsoft'],
  [2, 'unclear', 'deliverable', 'accepted', 'other'],
  [412, 'delivered', 'risky', 'catch_all', 'other'],
  [44, 'bounced', 'risky', 'catch_all', 'other'],
  [318, 'delivered', 'risky', 'decides_after_data', 'yahoo'],
  [12, 'bounced', 'risky', 'decides_after_data', 'yahoo'],
  [19, 'full', 'risky', 'mailbox_full', 'google'],
  [3, 'delivered', 'undeliverable', 'no_such_mailbox', 'other'],
  [209, 'bounced', 'undeliverable', 'no_such_mailbox', 'google'],
  [18, 'delivered', 'unknown', 'greylisted', 'other'],
];

/** `unmatched`: so many addresses without a result besides. */
export async function insertOutcomeRows(
  db: Database,
  accountId: number,
  rows: OutcomeRows,
  unmatched: number,
): Promise<void> {
  const add = (count: number, outcome: string, verdict: readonly (string | null)[]) =>
    db.query(
      `INSERT INTO mxproof.outcomes (account_id, event, hash, outcome, day, suppresses, domain, state, detail, provider)
       SELECT $1, sha256(convert_to($2 || $3 || n, 'UTF8')), sha256(convert_to('of ' || $2 || $3 || n, 'UTF8')), $3,
         (now() AT TIME ZONE 'UTC')::date - n % 25, $3 IN ('bounced', 'complained'), 'shop.example', $4, $5, $6
       FROM generate_series(1, $7::int) AS n`,
      [accountId, verdict.join(), outcome, ...verdict, count],
    );
  for (const [count, outcome, ...verdict] of rows) await add(count, outcome, verdict);
  if (unmatched > 0) await add(unmatched, 'delivered', [null, null, null]);
}
