// Where an address may be stored, and how it goes from there.
// Promise: lists are looked through in steps of a bounded size; what is changed of a list is changed under its lock.
import { BEYOND_ASCII, type ErasedText, type TextKind, withoutAll } from '../../rules/erased-text.ts';
import type { List } from '../../rules/list.ts';
import type { Database, Row, Tx } from '../../store/database.ts';
import { COLUMNS, type ListRow, toList } from '../../store/lists.ts';

const LISTS_AT_ONCE = 1_000;
const ADDRESSES_AT_ONCE = 100_000;
const CHUNKS_AT_ONCE = 40;

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
): Promise<{ id: number; isMadeOfOthers: boolean }[]> {
  return tx.query<{ id: number; isMadeOfOthers: boolean }>(
    `SELECT id, retry_of IS NOT NULL OR correction_of IS NOT NULL AS "isMadeOfOthers" FROM (
       SELECT *, sum(total) OVER (ORDER BY id) AS addresses FROM (
         SELECT id, total, retry_of, correction_of FROM mxproof.lists
         WHERE id > $1 AND (id <= $2 OR retry_of IS NOT NULL OR correction_of IS NOT NULL)
           ${accountIds === null ? '' : 'AND (account_id = ANY($3) OR deleted_of = ANY($3))'}
         ORDER BY id LIMIT ${LISTS_AT_ONCE}) AS page) AS counted
     WHERE addresses - total < ${ADDRESSES_AT_ONCE} ORDER BY id`,
    accountIds === null ? [after, upTo] : [after, upTo, accountIds],
  );
}

/** JSON that chunks with an address have in them, or null: any may. What is beyond ASCII may be another spelling of it. */
export type Pieces = readonly string[] | null;
const mayHave = (pieces: string) => `(${pieces}::text[] IS NULL OR octet_length(emails) <> length(emails)
  OR EXISTS (SELECT FROM unnest(${pieces}::text[]) AS p (piece) WHERE strpos(emails, piece) > 0))`;

/** Chunks of the lists that may have an address, a few at a time. */
export async function* chunksWith(
  tx: Tx,
  listIds: readonly number[],
  pieces: Pieces,
): AsyncGenerator<{ listId: number; emails: string }[]> {
  for (let after = [0, 0]; ; ) {
    const rows = await tx.query<{ listId: number; n: number; emails: string }>(
      `SELECT list_id AS "listId", n, emails FROM mxproof.chunks
       WHERE list_id = ANY($1) AND (list_id, n) > ($2, $3) AND ${mayHave('$4')}
       ORDER BY list_id, n LIMIT ${CHUNKS_AT_ONCE}`,
      [listIds, ...after, pieces],
    );
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNKS_AT_ONCE) return;
    after = [last.listId, last.n];
  }
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

/** In pages, behind `afterN`. The caller holds the list's lock. */
export async function lockChunks(
  tx: Tx,
  listId: number,
  afterN: number,
  pieces: Pieces,
): Promise<{ chunks: ErasableChunk[]; more: boolean }> {
  const chunks = await tx.query<Row & ErasableChunk>(
    `SELECT n, size, emails, results, floor(extract(epoch FROM now()))::bigint AS "nowSeconds" FROM mxproof.chunks
     WHERE list_id = $1 AND n > $2 AND ${mayHave('$3')}
     ORDER BY n LIMIT ${CHUNKS_AT_ONCE} FOR UPDATE`,
    [listId, afterN, pieces],
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

const ENDPOINT_OWNER = '(SELECT e.account_id FROM mxproof.webhook_endpoints e WHERE e.id = t.endpoint_id)';

interface ErasableText {
  readonly table: string;
  readonly column: string;
  /** `key`: it names its row, which is of no use without it, and goes with it. */
  readonly kind: TextKind | 'key';
  readonly type?: string;
  /** Null: the deployment's, which no account changes. */
  readonly owner: string | null;
}

/** Texts of people and of servers. */
export const TEXTS: readonly ErasableText[] = [
  { table: 'lists', column: 'name_json', kind: 'json', owner: 'coalesce(t.account_id, t.deleted_of)' },
  { table: 'lists', column: 'file_json', kind: 'json', owner: 'coalesce(t.account_id, t.deleted_of)' },
  { table: 'lists', column: 'callback_url', kind: 'url', owner: 'coalesce(t.account_id, t.deleted_of)' },
  { table: 'callbacks', column: 'url', kind: 'url', owner: LIST_OWNER },
  { table: 'callbacks', column: 'body', kind: 'json', owner: LIST_OWNER },
  { table: 'callbacks', column: 'attempts', kind: 'json', type: 'jsonb', owner: LIST_OWNER },
  { table: 'shown_callbacks', column: 'url', kind: 'url', owner: 't.account_id' },
  { table: 'shown_callbacks', column: 'headers', kind: 'json', owner: 't.account_id' },
  { table: 'shown_callbacks', column: 'body', kind: 'json', owner: 't.account_id' },
  { table: 'webhook_endpoints', column: 'url', kind: 'url', owner: 't.account_id' },
  { table: 'webhook_endpoints', column: 'description', kind: 'plain', owner: 't.account_id' },
  { table: 'webhook_deliveries', column: 'body', kind: 'json', owner: ENDPOINT_OWNER },
  { table: 'webhook_deliveries', column: 'attempts', kind: 'json', type: 'jsonb', owner: ENDPOINT_OWNER },
  { table: 'idempotency', column: 'answer', kind: 'json', owner: 't.account_id' },
  { table: 'idempotency', column: 'key', kind: 'key', owner: 't.account_id' },
  { table: 'source_states', column: 'refusal_reply', kind: 'plain', owner: null },
  { table: 'source_states', column: 'refusal_link', kind: 'url', owner: null },
  { table: 'alerts', column: 'detail', kind: 'plain', owner: null },
  { table: 'alert_messages', column: 'body', kind: 'json', owner: null },
  { table: 'alert_messages', column: 'error', kind: 'plain', owner: null },
];

const TEXTS_AT_ONCE = 1_000;
/** One text alone may have more. */
const TEXT_BYTES_AT_ONCE = 1_000_000;

/** More are not looked for in SQL, one by one in every row. */
const FEW_FORMS = 50;

/** In every text that is not an address of a list. */
export async function eraseTexts(
  tx: Tx,
  erased: readonly ErasedText[],
  accountIds: readonly number[] | null,
): Promise<void> {
  for (const each of TEXTS)
    if (each.owner !== null || accountIds === null) await eraseColumn(tx, each, erased, accountIds);
}

async function eraseColumn(
  tx: Tx,
  text: ErasableText,
  erased: readonly ErasedText[],
  accountIds: readonly number[] | null,
): Promise<void> {
  const { table, column, kind, owner } = text;
  const values: unknown[] = [];
  const forms = erased.flatMap((each) => each.forms);
  // In a URL any character may be escaped, and some databases know no upper case beyond ASCII: all are read that have an address
  // in them.
  const isAnyRead =
    kind === 'url' || forms.length > FEW_FORMS || forms.some((form) => BEYOND_ASCII.test(form));
  const hasOne = isAnyRead
    ? `t.${column}::text ~ '@|%40'`
    : `EXISTS (SELECT FROM unnest($${values.push(forms)}::text[]) AS f (form)
         WHERE strpos(lower(t.${column}::text), lower(f.form)) > 0)`;
  const isOf =
    owner === null || accountIds === null ? '' : `AND ${owner} = ANY($${values.push(accountIds)}::bigint[])`;
  // As an UPDATE does: where others lock the table before its rows, it is not the other way round here.
  await tx.query(`LOCK TABLE mxproof.${table} IN ROW EXCLUSIVE MODE`);
  // Its rows are locked as they are fetched: until they are written, no other transaction moves them.
  await tx.query(
    `DECLARE mentioning NO SCROLL CURSOR FOR
     SELECT t.ctid::text AS place, octet_length(t.${column}::text) AS bytes FROM mxproof.${table} t
     WHERE ${hasOne} ${isOf} FOR NO KEY UPDATE OF t`,
    values,
  );
  for (let goesOn = true; goesOn; ) {
    const rows = await tx.query<{ place: string; bytes: number }>(`FETCH ${TEXTS_AT_ONCE} FROM mentioning`);
    for (const places of inBatches(rows)) await eraseAt(tx, text, erased, places);
    goesOn = rows.length === TEXTS_AT_ONCE;
  }
  await tx.query('CLOSE mentioning');
}

function* inBatches(rows: readonly { place: string; bytes: number }[]): Generator<string[]> {
  let [places, sum]: [string[], number] = [[], 0];
  for (const { place, bytes } of rows) {
    if (places.length > 0 && sum + bytes > TEXT_BYTES_AT_ONCE) {
      yield places;
      [places, sum] = [[], 0];
    }
    places.push(place);
    sum += bytes;
  }
  if (places.length > 0) yield places;
}

async function eraseAt(
  tx: Tx,
  { table, column, kind, type = 'text' }: ErasableText,
  erased: readonly ErasedText[],
  places: readonly string[],
): Promise<void> {
  const rows = await tx.query<{ place: string; text: string }>(
    `SELECT ctid::text AS place, ${column}::text AS text FROM mxproof.${table} WHERE ctid = ANY($1::tid[])`,
    [places],
  );
  const changed = rows.flatMap(({ place, text }) => {
    const left = withoutAll(kind === 'key' ? 'plain' : kind, text, erased);
    return left === text ? [] : [{ place, left }];
  });
  if (changed.length === 0) return;
  const changedPlaces = changed.map(({ place }) => place);
  if (kind === 'key')
    await tx.query(`DELETE FROM mxproof.${table} WHERE ctid = ANY($1::tid[])`, [changedPlaces]);
  else
    await tx.query(
      `UPDATE mxproof.${table} t SET ${column} = w.text::${type}
       FROM unnest($1::tid[], $2::text[]) AS w (place, text) WHERE t.ctid = ANY($1::tid[]) AND t.ctid = w.place`,
      [changedPlaces, changed.map(({ left }) => left)],
    );
}

const FORMS_AT_ONCE = 5_000;

/** Which of these forms of addresses are in a text at all. */
export async function mentionedAmong(tx: Tx, forms: readonly string[]): Promise<Set<string>> {
  const texts = TEXTS.map(
    ({ table, column }) =>
      `SELECT lower(${column}::text) AS text FROM mxproof.${table} WHERE ${column}::text ~ '@|%40'`,
  );
  const mentioned = new Set<string>();
  for (let at = 0; at < forms.length; at += FORMS_AT_ONCE) {
    const rows = await tx.query<{ form: string }>(
      `WITH texts AS MATERIALIZED (${texts.join(' UNION ALL ')})
       SELECT form FROM unnest($1::text[]) AS f (form)
       WHERE EXISTS (SELECT 1 FROM texts WHERE strpos(text, lower(form)) > 0)`,
      [forms.slice(at, at + FORMS_AT_ONCE)],
    );
    for (const { form } of rows) mentioned.add(form);
  }
  return mentioned;
}

const MENTIONING = [
  'chunks',
  'checked_addresses',
  'evidence',
  'erasures',
  'outcomes',
  ...new Set(TEXTS.map(({ table }) => table)),
];

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
