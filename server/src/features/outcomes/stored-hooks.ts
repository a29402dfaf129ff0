// Hooks of accounts: the hash of what stands in their URL, and a sealed key.
import { hash, randomBytes } from 'node:crypto';
import type { SendingServiceName } from '../../rules/sending-services.ts';
import type { Tx } from '../../store/database.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { ensureSecretKey } from '../../store/webhook-secrets.ts';
import { type HookSettings, MAX_AGE_SECONDS } from './services/service.ts';

export const MAX_HOOKS = 10;
const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

export interface Hook {
  readonly id: number;
  readonly service: SendingServiceName;
  readonly topic: string | null;
  readonly createdAtSeconds: number;
  /** To the minute; null: none yet. */
  readonly lastEventAtSeconds: number | null;
}

type HookRow = { [Field in keyof Hook]: Hook[Field] };

const seconds = (column: string) => `floor(extract(epoch FROM ${column}))::bigint`;
const COLUMNS = `id, service, topic, ${seconds('created_at')} AS "createdAtSeconds",
  ${seconds('last_event_at')} AS "lastEventAtSeconds"`;

/** Also for the rotation of the secret key. */
export const hookBinding = (id: number) => `outcome hook ${id}`;

/** Null: the account has as many as it may. */
export async function insertHook(
  tx: Tx,
  box: SecretBox,
  hook: HookSettings & { readonly accountId: number; readonly service: SendingServiceName },
): Promise<{ hook: Hook; token: string } | null> {
  const { accountId, service, topic, signingKey } = hook;
  const sealer = await ensureSecretKey(tx, box);
  // Two that come together are counted one after the other.
  await tx.query('SELECT FROM mxproof.accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const [row] = await tx.query<HookRow>(
    `INSERT INTO mxproof.outcome_hooks (account_id, service, topic, token_hash)
     SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM mxproof.outcome_hooks WHERE account_id = $1) < ${MAX_HOOKS}
     RETURNING ${COLUMNS}`,
    [accountId, service, topic, hashOf(token)],
  );
  if (!row) return null;
  if (signingKey !== null)
    await tx.query('UPDATE mxproof.outcome_hooks SET signing_key = $2 WHERE id = $1', [
      row.id,
      sealer.seal(signingKey, hookBinding(row.id)),
    ]);
  return { hook: row, token };
}

export async function hooksOf(tx: Tx, accountId: number): Promise<Hook[]> {
  return tx.query<HookRow>(`SELECT ${COLUMNS} FROM mxproof.outcome_hooks WHERE account_id = $1 ORDER BY id`, [
    accountId,
  ]);
}

/** With its rate window. False: no such hook of this account. */
export async function removeHook(tx: Tx, id: number, accountId: number): Promise<boolean> {
  const rows = await tx.query(
    `WITH gone AS (DELETE FROM mxproof.outcome_hooks WHERE id = $1 AND account_id = $2 RETURNING id),
     freed AS (DELETE FROM mxproof.rate_windows WHERE kind = 'hook' AND key_id IN (SELECT id FROM gone))
     SELECT id FROM gone`,
    [id, accountId],
  );
  return rows.length === 1;
}

export interface AskedHook {
  readonly id: number;
  readonly accountId: number;
  readonly service: SendingServiceName;
  readonly topic: string | null;
  readonly sealedKey: Buffer | null;
}

/** Null: nothing that could be a token, so nothing to look up. */
export function readHookToken(token: string): Buffer | null {
  return TOKEN_SHAPE.test(token) ? hashOf(token) : null;
}

/** In the order of the hashes; null: there is none. */
export async function findHooks(tx: Tx, hashes: readonly Buffer[]): Promise<(AskedHook | null)[]> {
  const rows = await tx.query<{ [Field in keyof AskedHook]: AskedHook[Field] } & { hash: Buffer }>(
    `SELECT id, account_id AS "accountId", service, topic, signing_key AS "sealedKey", token_hash AS hash
     FROM mxproof.outcome_hooks WHERE token_hash = ANY($1::bytea[])`,
    [hashes],
  );
  const found = new Map(rows.map(({ hash: each, ...hook }) => [each.toString('hex'), hook]));
  return hashes.map((each) => found.get(each.toString('hex')) ?? null);
}

/** Throws `WrongSecretKey` unless the box can open its key. Null: its key was lost. */
export function settingsOf({ id, topic, sealedKey }: AskedHook, box: SecretBox): HookSettings | null {
  if (sealedKey === null) return { topic, signingKey: null };
  return sealedKey.length === 0 ? null : { topic, signingKey: box.open(sealedKey, hookBinding(id)) };
}

/** Of an operator who has lost the key before: nothing is taken without a proof, and owners make new hooks. */
export async function forgetHookKeys(tx: Tx): Promise<void> {
  await tx.query(`UPDATE mxproof.outcome_hooks SET signing_key = '' WHERE signing_key IS NOT NULL`);
}

/** Locks it until the transaction ends. False: it was deleted meanwhile. */
export async function lockHook(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx.query('SELECT FROM mxproof.outcome_hooks WHERE id = $1 FOR KEY SHARE', [id]);
  return rows.length === 1;
}

export async function noteEvent(tx: Tx, id: number): Promise<void> {
  await tx.query(
    `UPDATE mxproof.outcome_hooks SET last_event_at = now()
     WHERE id = $1 AND (last_event_at IS NULL OR last_event_at < now() - interval '1 minute')`,
    [id],
  );
}

/** False: another body came with the same token. */
export async function keepToken(tx: Tx, id: number, token: string, body: Buffer): Promise<boolean> {
  const values = [id, hash('sha256', token, 'buffer'), hash('sha256', body, 'buffer')];
  // Of two at once the second waits for the first.
  await tx.query(
    `INSERT INTO mxproof.outcome_hook_tokens (hook_id, token_hash, body_hash) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING`,
    values,
  );
  const rows = await tx.query(
    'SELECT FROM mxproof.outcome_hook_tokens WHERE hook_id = $1 AND token_hash = $2 AND body_hash = $3',
    values,
  );
  return rows.length === 1;
}

/** Their signatures are too old by then. */
export async function sweepHookTokens(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.outcome_hook_tokens
     WHERE created_at < now() - make_interval(secs => ${2 * MAX_AGE_SECONDS})`,
  );
}

// 256 random bits need no slow hash: there is nothing to guess.
function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
