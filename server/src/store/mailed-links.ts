// Links that were mailed to sign a person in, which link-mails.ts makes. Promise: each is redeemed at most once, within its minutes,
// whichever nodes are asked at the same time.
import type { Tx } from './database.ts';
import { LINK_MINUTES } from './sign-in-links.ts';

const IS_FRESH = `created_at > now() - make_interval(mins => ${LINK_MINUTES})`;

/** The mailbox that it was mailed to; null: unknown, too old or redeemed. */
export async function findMailedLink(tx: Tx, hash: Buffer): Promise<string | null> {
  const [row] = await tx.query<{ email: string }>(
    `SELECT email FROM mxproof.mailed_links WHERE hash = $1 AND ${IS_FRESH}`,
    [hash],
  );
  return row?.email ?? null;
}

/** The same, once: redeeming consumes it, and all others of the mailbox. */
export async function takeMailedLink(tx: Tx, hash: Buffer): Promise<string | null> {
  const [row] = await tx.query<{ email: string }>(
    `DELETE FROM mxproof.mailed_links WHERE hash = $1 AND ${IS_FRESH} RETURNING email`,
    [hash],
  );
  if (!row) return null;
  await tx.query('DELETE FROM mxproof.mailed_links WHERE email = $1', [row.email]);
  return row.email;
}

export async function sweepMailedLinks(tx: Tx): Promise<void> {
  await tx.query(`DELETE FROM mxproof.mailed_links WHERE NOT (${IS_FRESH})`);
}
