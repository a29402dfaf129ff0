// Remembered answers to operators: the same Idempotency-Key and request within a day get the first answer again.
// Promise: a key is reserved in the transaction that does what it is for; an answer is sealed, since some show a secret.
import type { Row, Tx } from '../../store/database.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { ensureSecretKey } from '../../store/webhook-secrets.ts';
import { answerBinding } from './answer-binding.ts';

export interface AnswerKey {
  /** 'key 3', 'session 7'. */
  readonly holder: string;
  readonly key: string;
  /** Of method, path and body. */
  readonly requestHash: Buffer;
}

export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

const KEPT_SECONDS = 24 * 60 * 60;
/** Of an answer that is not known yet; its transaction has not ended. */
const UNKNOWN = 0;

/** Null: there is none. */
export async function findAnswer(
  tx: Tx,
  box: SecretBox,
  { holder, key, requestHash }: AnswerKey,
): Promise<KeptAnswer | 'other_request' | null> {
  const [row] = await tx.query<Row & { id: number; hash: Buffer; status: number; answer: Buffer }>(
    `SELECT id, request_hash AS hash, status, answer FROM mxproof.admin_answers
     WHERE holder = $1 AND key = $2 AND created_at > now() - make_interval(secs => ${KEPT_SECONDS})`,
    [holder, key],
  );
  if (!row) return null;
  if (!row.hash.equals(requestHash)) return 'other_request';
  return { status: row.status, body: box.open(row.answer, answerBinding(row.id)) };
}

/** Waits for a concurrent request with the same key. Null: that one has done it. */
export async function reserveAnswer(tx: Tx, { holder, key, requestHash }: AnswerKey): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(
    `INSERT INTO mxproof.admin_answers AS a (holder, key, request_hash, status, answer) VALUES ($1, $2, $3, ${UNKNOWN}, '')
     ON CONFLICT (holder, key) DO UPDATE SET request_hash = excluded.request_hash, created_at = now()
       WHERE a.created_at <= now() - make_interval(secs => ${KEPT_SECONDS})
     RETURNING id`,
    [holder, key, requestHash],
  );
  return row?.id ?? null;
}

export async function keepAnswer(
  tx: Tx,
  box: SecretBox,
  id: number,
  { status, body }: KeptAnswer,
): Promise<void> {
  const sealer = await ensureSecretKey(tx, box);
  await tx.query('UPDATE mxproof.admin_answers SET status = $2, answer = $3 WHERE id = $1', [
    id,
    status,
    sealer.seal(body, answerBinding(id)),
  ]);
}

/** For a store whose secret key was lost: they cannot be opened any more. */
export async function forgetAnswers(tx: Tx): Promise<void> {
  await tx.query('DELETE FROM mxproof.admin_answers');
}

export async function sweepAnswers(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.admin_answers WHERE created_at <= now() - make_interval(secs => ${KEPT_SECONDS})`,
  );
}
