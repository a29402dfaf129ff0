// Where an address may be stored, and how it goes from there.
// Promise: lists are looked through in steps of a bounded size; what is changed of a list is changed under its lock.
import type { ErasedText } from '../rules/erased-text.ts';
import type { List } from '../rules/list.ts';
import type { Database, Row, Tx } from './database.ts';
import { COLUMNS, type ListRow, toList } from './lists.ts';

const LISTS_AT_ONCE = 1_000;
const ADDRESSES_AT_ONCE = 100_000;

/** The account and its test twin; null: everyone. */
export async function accountsOf(tx: Tx, accountId: number | null): Promise<readonly number[] | null> {
  if (accountId === null) return null;
  const rows = await tx.query<{ id: number }>(
    'SELECT id FROM mxproof.accounts WHERE id = $1 OR test_of = $1',
    [accountId],
  );
  return rows.map(({ id }) => id);
}

/**
 * The next lists of these accounts; none: that was all. Beyond `upTo` only those that were made of other lists, whose
 * addresses may have been read before.
 */
export async function nextLists(
  tx: Tx,
  { after, upTo, accountIds }: { after: number; upTo: number; accountIds: readonly number[] | null },
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT id FROM (
       SELECT id, total, sum(total) OVER (ORDER BY id) AS addresses FROM (
         SELECT id, total FROM mxproof.lists
         WHERE id > $1 AND (id <= $2 OR retry_of IS NOT NULL OR correction_of IS NOT NULL)
           ${accountIds === null ? '' : 'AND (account_id = ANY($3) OR deleted_of = ANY($3))'}
         ORDER BY id LIMIT ${LISTS_AT_ONCE}) AS page) AS counted
     WHERE addresses - total < ${ADDRESSES_AT_ONCE} ORDER BY id`,
    accountIds === null ? [after, upTo] : [after, upTo, accountIds],
  );
  return rows.map(({ id }) => id);
}

/** Those of the lists that have the text in a chunk, perhaps as a part of another. */
export async function listsWith(tx: Tx, listIds: readonly number[], email: string): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    'SELECT DISTINCT list_id AS id FROM mxproof.chunks WHERE list_id = ANY($1) AND strpos(emails, $2) > 0 ORDER BY 1',
    [listIds, JSON.stringify(email)],
  );
  return rows.map(({ id }) => id);
}

/** All addresses of the lists. */
export async function addressesOf(
  tx: Tx,
  listIds: readonly number[],
): Promise<{ listId: number; emails: readonly string[] }[]> {
  const rows = await tx.query<{ listId: number; emails: string }>(
    'SELECT list_id AS "listId", emails FROM mxproof.chunks WHERE list_id = ANY($1)',
    [listIds],
  );
  return rows.map(({ listId, emails }) => ({ listId, emails: JSON.parse(emails) as string[] }));
}

/** Also one that is deleted and may be brought back; its account is whose it was. */
export async function lockAnyList(tx: Tx, id: number): Promise<List | null> {
  const [row] = await tx.query<ListRow & { owner: number }>(
    `SELECT ${COLUMNS}, coalesce(account_id, deleted_of) AS owner FROM mxproof.lists WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return row ? toList({ ...row, account_id: row.owner }) : null;
}

export interface ErasableChunk {
  readonly n: number;
  readonly size: number;
  readonly emails: string;
  readonly results: string | null;
  readonly nowSeconds: number;
}

const CHUNKS_AT_ONCE = 40;

/** In pages, behind `afterN`; `piece`: only those that have it in them. The caller holds the list's lock. */
export async function lockChunks(
  tx: Tx,
  listId: number,
  afterN: number,
  piece: string | null,
): Promise<{ chunks: ErasableChunk[]; more: boolean }> {
  const chunks = await tx.query<Row & ErasableChunk>(
    `SELECT n, size, emails, results, floor(extract(epoch FROM now()))::bigint AS "nowSeconds" FROM mxproof.chunks
     WHERE list_id = $1 AND n > $2 AND ($3::text IS NULL OR strpos(emails, $3) > 0)
     ORDER BY n LIMIT ${CHUNKS_AT_ONCE} FOR UPDATE`,
    [listId, afterN, piece],
  );
  return { chunks, more: chunks.length === CHUNKS_AT_ONCE };
}

export async function writeErased(
  tx: Tx,
  listId: number,
  chunk: { n: number; emails: string; results: string | null; positions: readonly number[] },
): Promise<void> {
  await tx.query(
    `UPDATE mxproof.chunks SET emails = $3, results = $4, erased = coalesce(erased, '{}') || $5::smallint[]
     WHERE list_id = $1 AND n = $2`,
    [listId, chunk.n, chunk.emails, chunk.results, chunk.positions],
  );
}

export async function replaceEvidence(tx: Tx, id: number, data: Buffer | null): Promise<void> {
  if (data === null) await tx.query('DELETE FROM mxproof.evidence WHERE id = $1', [id]);
  else await tx.query('UPDATE mxproof.evidence SET data = $2 WHERE id = $1', [id, data]);
}

/** A body with one address is known by its hash: the key stays used, and says nothing of what it was used with. */
export async function forgetRequest(tx: Tx, listId: number): Promise<void> {
  await tx.query(
    `UPDATE mxproof.idempotency SET body_hash = '', status = NULL, answer = NULL WHERE list_id = $1`,
    [listId],
  );
}

const LIST_OWNER =
  '(SELECT coalesce(l.account_id, l.deleted_of) FROM mxproof.lists l WHERE l.id = t.list_id)';

/** Texts of people and of servers; their owner: null is the deployment's. */
export const TEXTS: readonly { table: string; column: string; type?: string; owner: string | null }[] = [
  { table: 'lists', column: 'name_json', owner: 'coalesce(t.account_id, t.deleted_of)' },
  { table: 'lists', column: 'callback_url', owner: 'coalesce(t.account_id, t.deleted_of)' },
  { table: 'callbacks', column: 'url', owner: LIST_OWNER },
  { table: 'callbacks', column: 'body', owner: LIST_OWNER },
  { table: 'callbacks', column: 'attempts', type: 'jsonb', owner: LIST_OWNER },
  { table: 'shown_callbacks', column: 'url', owner: 't.account_id' },
  { table: 'shown_callbacks', column: 'headers', owner: 't.account_id' },
  { table: 'shown_callbacks', column: 'body', owner: 't.account_id' },
  { table: 'idempotency', column: 'answer', owner: 't.account_id' },
  { table: 'source_states', column: 'refusal_reply', owner: null },
  { table: 'source_states', column: 'refusal_link', owner: null },
  { table: 'alerts', column: 'detail', owner: null },
  { table: 'alert_messages', column: 'body', owner: null },
  { table: 'alert_messages', column: 'error', owner: null },
];

const HAS_FORM = (text: string, forms: string) =>
  `EXISTS (SELECT 1 FROM unnest(${forms}::text[]) AS f (form) WHERE strpos(lower(${text}), f.form) > 0)`;
const IS_OF = (owner: string, accounts: string) =>
  `(${accounts}::bigint[] IS NULL OR ${owner} = ANY(${accounts}))`;

/** In every text that is not an address of a list. */
export async function eraseTexts(
  tx: Tx,
  { forms, pattern, replacement }: ErasedText,
  accountIds: readonly number[] | null,
): Promise<void> {
  for (const { table, column, type = 'text', owner } of TEXTS) {
    const text = `t.${column}::text`;
    await tx.query(
      `UPDATE mxproof.${table} t SET ${column} = regexp_replace(${text}, $1, $2, 'gi')::${type}
       WHERE ${HAS_FORM(text, '$3')} ${owner === null ? '' : `AND ${IS_OF(owner, '$4')}`}`,
      owner === null ? [pattern, replacement, forms] : [pattern, replacement, forms, accountIds],
    );
  }
  // A key is its record's name: without it, the record is of no use.
  await tx.query(
    `DELETE FROM mxproof.idempotency t
     WHERE ${HAS_FORM('t.key', '$2')} AND t.key ~* $1 AND ${IS_OF('t.account_id', '$3')}`,
    [pattern, forms, accountIds],
  );
}

const FORMS_AT_ONCE = 5_000;

/** Which of these forms of addresses are in a text at all. */
export async function mentionedAmong(tx: Tx, forms: readonly string[]): Promise<Set<string>> {
  const texts = [...TEXTS, { table: 'idempotency', column: 'key' }].map(
    ({ table, column }) =>
      `SELECT lower(${column}::text) AS text FROM mxproof.${table} WHERE ${column}::text ~ '@|%40'`,
  );
  const mentioned = new Set<string>();
  for (let at = 0; at < forms.length; at += FORMS_AT_ONCE) {
    const rows = await tx.query<{ form: string }>(
      `WITH texts AS MATERIALIZED (${texts.join(' UNION ALL ')})
       SELECT form FROM unnest($1::text[]) AS f (form) WHERE EXISTS (SELECT 1 FROM texts WHERE strpos(text, form) > 0)`,
      [forms.slice(at, at + FORMS_AT_ONCE)],
    );
    for (const { form } of rows) mentioned.add(form);
  }
  return mentioned;
}

const MENTIONING = ['chunks', 'evidence', 'erasures', ...new Set(TEXTS.map(({ table }) => table))];

/** PostgreSQL keeps what a row was before until its table is vacuumed, which may be never. */
export async function freeOldRows(db: Database): Promise<void> {
  const client = await db.connectAlone();
  try {
    const tables = MENTIONING.map((table) => `mxproof.${table}`).join(', ');
    await client.query(`VACUUM (SKIP_LOCKED) ${tables}`);
  } finally {
    await client.end().catch(() => {});
  }
}
