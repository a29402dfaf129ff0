// Nodes that serve HTTP, and where: a sign-in link leads to one of them, whichever process makes it.
import type { Tx } from './database.ts';

export interface HttpNode {
  /** Where browsers reach it, or where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** True: by MXPROOF_PUBLIC_URL. */
  readonly isPublic: boolean;
  /** The name of the machine it runs on. */
  readonly machine: string;
}

export const SEEN_EVERY_SECONDS = 5;
/** Several of them: a busy node may be late. */
const SERVES_SECONDS = 20;
const FORGOTTEN_AFTER_SECONDS = 3_600;
const MAX_NODES = 100;

/** `keys`: fingerprints of the secret keys that it has. */
export async function sayWhere(
  tx: Tx,
  id: string,
  { url, isPublic, machine }: HttpNode,
  keys: readonly Buffer[] = [],
): Promise<void> {
  await tx.prepared(
    'http-node-seen',
    `INSERT INTO mxproof.http_nodes (id, url, is_public, machine, keys) VALUES ($1, $2, $3, $4, $5::bytea[])
     ON CONFLICT (id) DO UPDATE SET seen_at = now(), keys = excluded.keys`,
    [id, url, isPublic, machine, keys],
  );
}

export async function servesNoMore(tx: Tx, id: string): Promise<void> {
  await tx.query('DELETE FROM mxproof.http_nodes WHERE id = $1', [id]);
}

/** Those that serve now, as a person on `machine` should try them: public ones first, then those next to them. */
export async function servingNodes(tx: Tx, machine: string): Promise<HttpNode[]> {
  return tx.query<{ url: string; isPublic: boolean; machine: string }>(
    `SELECT url, is_public AS "isPublic", machine FROM mxproof.http_nodes
     WHERE seen_at > now() - make_interval(secs => ${SERVES_SECONDS})
     ORDER BY is_public DESC, machine = $1 DESC, seen_at DESC LIMIT ${MAX_NODES}`,
    [machine],
  );
}

export async function sweepHttpNodes(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.http_nodes WHERE seen_at < now() - make_interval(secs => ${FORGOTTEN_AFTER_SECONDS})`,
  );
}
