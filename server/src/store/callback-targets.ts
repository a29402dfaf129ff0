// Which addresses and ports an account's callbacks went to, and whether they answered; shared by all nodes.
import type { Tx } from './database.ts';

const SILENT_HOURS = 1;
/** Known for so long after the last answer. */
const KEPT_DAYS = 30;
/** An answer is noted again after so long, not each time. */
const NOTED_HOURS = 24;

export async function readTargets(
  tx: Tx,
  accountId: number,
  targets: readonly string[],
): Promise<{ unknown: number; silent: number }> {
  const [row] = await tx.prepared<{ unknown: number; silent: number }>(
    'read-callback-targets',
    `SELECT cardinality($2::text[]) - count(*) FILTER (WHERE target = ANY($2)) AS unknown,
       count(*) FILTER (WHERE answered_at IS NULL) AS silent
     FROM mxproof.callback_targets
     WHERE account_id = $1
       AND (answered_at IS NOT NULL OR silent_at > now() - make_interval(hours => ${SILENT_HOURS}))`,
    [accountId, targets],
  );
  return row!;
}

/** One that has answered once stays known when it falls silent. */
export async function noteTargets(
  tx: Tx,
  accountId: number,
  targets: readonly string[],
  hasAnswered: boolean,
): Promise<void> {
  await tx.prepared(
    hasAnswered ? 'note-answered' : 'note-silent',
    hasAnswered
      ? `INSERT INTO mxproof.callback_targets AS t (account_id, target, answered_at)
         SELECT $1, target, now() FROM unnest($2::text[]) AS new (target) ORDER BY target
         ON CONFLICT (account_id, target) DO UPDATE SET answered_at = now()
         WHERE t.answered_at IS NULL OR t.answered_at < now() - make_interval(hours => ${NOTED_HOURS})`
      : `INSERT INTO mxproof.callback_targets (account_id, target, silent_at)
         SELECT $1, target, now() FROM unnest($2::text[]) AS new (target) ORDER BY target
         ON CONFLICT (account_id, target) DO UPDATE SET silent_at = now()`,
    [accountId, targets],
  );
}

export async function sweepTargets(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.callback_targets
     WHERE answered_at IS NULL AND silent_at < now() - make_interval(hours => ${SILENT_HOURS})
        OR answered_at < now() - make_interval(days => ${KEPT_DAYS})`,
  );
}
