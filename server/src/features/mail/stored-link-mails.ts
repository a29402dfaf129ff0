// Mails with a link that are to be sent, one message each. They are asked for in store/link-mails.ts.
// Promise: one is a node's at a time; an invitation that is no longer needed is not sent.
import type { Role } from '../../rules/roles.ts';
import type { Database, Tx } from '../../store/database.ts';

export type DueLink = {
  readonly id: string;
  readonly email: string;
  /** This one included. */
  readonly attempts: number;
  readonly ageSeconds: number;
} & (
  | { readonly kind: 'sign_in' }
  | {
      readonly kind: 'invitation';
      readonly memberId: number;
      readonly accountName: string;
      readonly role: Role;
    }
);

/** Longer than an attempt takes. */
const CLAIM_SECONDS = 60;
const CLAIMED_AT_ONCE = 10;
const MAX_ERROR_CHARACTERS = 200;
/** A person who asked for one is waiting, and asks again if it comes later than this. */
export const SIGN_IN_TRIED_SECONDS = 600;

/** A node has them for a while. */
export async function claimLinks(db: Database): Promise<DueLink[]> {
  return db.transaction(async (tx) => {
    // Those that were redeemed, or whose member is gone.
    await tx.query(
      `UPDATE mxproof.link_mails l SET next_at = NULL, error = NULL
       WHERE next_at <= now() AND kind = 'invitation'
         AND NOT EXISTS (SELECT FROM mxproof.members WHERE id = l.member_id AND person_id IS NULL)`,
    );
    return tx.query<DueLink & { id: string }>(
      `WITH due AS (
         SELECT id FROM mxproof.link_mails WHERE next_at <= now() OR next_at > now() + interval '5 hours'
         ORDER BY next_at LIMIT ${CLAIMED_AT_ONCE} FOR UPDATE SKIP LOCKED),
       taken AS (
         UPDATE mxproof.link_mails l
         SET attempts = attempts + 1, next_at = now() + make_interval(secs => ${CLAIM_SECONDS})
         FROM due WHERE l.id = due.id RETURNING l.*)
       SELECT t.id, t.kind, t.email, t.attempts, floor(extract(epoch FROM now() - t.created_at))::bigint AS "ageSeconds",
         t.member_id AS "memberId", m.role, a.name AS "accountName"
       FROM taken t LEFT JOIN mxproof.members m ON m.id = t.member_id LEFT JOIN mxproof.accounts a ON a.id = t.account_id`,
    );
  });
}

/** Taken by the relay. */
export async function noteLinkSent(db: Database, { id }: DueLink): Promise<void> {
  await db.query('UPDATE mxproof.link_mails SET next_at = NULL, error = NULL WHERE id = $1', [id]);
}

/** Unless another node has it by now. `afterSeconds`: null, it is given up. */
export async function noteLinkFailed(
  db: Database,
  { id, attempts }: DueLink,
  { error, afterSeconds }: { readonly error: string; readonly afterSeconds: number | null },
): Promise<void> {
  await db.query(
    `UPDATE mxproof.link_mails SET next_at = now() + make_interval(secs => $3), error = $4
     WHERE id = $1 AND attempts = $2`,
    [id, attempts, afterSeconds, error.slice(0, MAX_ERROR_CHARACTERS)],
  );
}

/** For the doctor. `error`: of the last one; null: it was sent, or there was none. */
export async function linkState(
  tx: Tx,
): Promise<{ readonly waiting: number; readonly error: string | null }> {
  const [row] = await tx.query<{ waiting: number; error: string | null }>(
    `SELECT count(*) FILTER (WHERE next_at IS NOT NULL) AS waiting,
       (array_agg(error ORDER BY created_at DESC) FILTER (WHERE attempts > 0))[1] AS error
     FROM mxproof.link_mails`,
  );
  return row!;
}

/** The bounds know a day of invitations; what went wrong with one is shown for as long as its link would work. */
export async function sweepLinks(db: Database): Promise<void> {
  await db.query(
    `DELETE FROM mxproof.link_mails
     WHERE created_at < now() - CASE kind WHEN 'sign_in' THEN interval '2 hours' ELSE interval '7 days' END`,
  );
}
