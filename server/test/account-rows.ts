// An account that has something in every table that can have anything of an account, and what is left of it there.
// Promise: the tables are those of the database's own catalog, so that one that is added fails a test until it is decided.
import { randomBytes } from 'node:crypto';
import { setAccountMail } from '../src/features/mail/stored-mail.ts';
import { pauseList } from '../src/flow/pause-list.ts';
import { type Submission, submitList } from '../src/flow/submit-list.ts';
import { insertTestTwin } from '../src/store/accounts.ts';
import type { Database } from '../src/store/database.ts';
import { hideList } from '../src/store/deleted-lists.ts';
import { insertInvitation } from '../src/store/invitations.ts';
import { insertKey } from '../src/store/keys.ts';
import { grantCredits } from '../src/store/ledger.ts';
import { insertMember } from '../src/store/members.ts';
import { switchOutcomesOn } from '../src/store/outcome-settings.ts';
import { insertIdentity, personOfMailbox } from '../src/store/people.ts';
import { insertSession } from '../src/store/sessions.ts';
import { insertLink } from '../src/store/sign-in-links.ts';
import type { TestService } from './service.ts';
import { submission } from './submission.ts';
import { until } from './until.ts';

/** In every text of a filled account, and in no other. */
export const MARK = 'zebra';

export interface FilledAccount {
  readonly id: number;
  readonly twin: number;
  /** Unfinished, whatever nodes do: at a mail server, waiting for its next attempt, paused. */
  readonly running: readonly number[];
}

/** `startNode`: with a checker that leaves slow addresses unanswered, and asks those that wait again much later. */
export async function fillAccounts(
  service: TestService,
  marks: Readonly<Record<number, string>>,
  startNode: () => Promise<unknown>,
): Promise<FilledAccount[]> {
  const accounts = Object.entries(marks).map(([id, mark]) => ({ id: Number(id), mark }));
  const begun = [];
  for (const each of accounts) begun.push({ ...each, ...(await beginAccount(service, each)) });
  await startNode();
  const filled: FilledAccount[] = [];
  for (const each of begun) filled.push(await fillAccount(service, each));
  return filled;
}

interface Begun {
  readonly id: number;
  readonly mark: string;
}

const submitMarked = async (
  { context }: TestService,
  accountId: number,
  mark: string,
  kinds: readonly string[],
  more: Partial<Submission> = {},
) => {
  const emails = kinds.map((kind, n) => `${kind}${n}@${mark}.example`);
  const made = await submitList(context, submission(accountId, emails, { name: mark, ...more }));
  if (made.kind !== 'created') throw new Error(made.kind);
  return made.list.id;
};

/** With lists that are paused before a node can have them. */
async function beginAccount(service: TestService, { id, mark }: Begun) {
  const { context, db } = service;
  const twin = await db.transaction(async (tx) => {
    const made = (await insertTestTwin(tx, id))!;
    await grantCredits(tx, made, 1_000_000, 'test credits');
    return made;
  });
  await db.query('UPDATE mxproof.accounts SET name = $2, external_id = $2 WHERE id = $1', [id, mark]);
  await setAccountMail(db, id, `anna@${mark}.example`);
  await switchOutcomesOn(db, id);
  await db.query(
    `INSERT INTO mxproof.webhook_endpoints (account_id, url, description, events, secret)
     VALUES ($1, $2, $3, '{list.done,list.failed,list.paused}', '\\x01')`,
    [id, `https://${mark}.example/`, mark],
  );
  const paused: number[] = [];
  for (const accountId of [id, twin]) {
    const listId = await submitMarked(service, accountId, mark, ['ok', 'unknown']);
    await pauseList(context, listId, accountId);
    paused.push(listId);
  }
  return { twin, paused };
}

async function fillAccount(
  service: TestService,
  { id, mark, twin, paused }: Begun & { readonly twin: number; readonly paused: readonly number[] },
): Promise<FilledAccount> {
  const { db } = service;
  const submit = (accountId: number, kinds: readonly string[], more?: Partial<Submission>) =>
    submitMarked(service, accountId, mark, kinds, more);
  const many = (kind: string, count: number) => Array<string>(count).fill(kind);

  const done = await submit(id, ['ok', 'unknown', 'no'], {
    callbackUrl: `https://${mark}.example/`,
    group: mark,
  });
  const hidden = await submit(id, ['ok', 'unknown'], { group: mark });
  const deferred = await submit(id, ['ok', 'wait', 'wait', 'unknown']);
  const running = await submit(id, [...many('ok', 600), 'slow', ...many('unknown', 200)]);
  const single = await submit(id, ['unknown'], { single: true });
  const slowSingle = await submit(id, ['slow'], { single: true });
  const test = await submit(twin, ['ok', 'rejected-email']);
  await db.query(`UPDATE mxproof.jobs SET due_at = now() WHERE data->>'single' = 'true'`);
  for (const listId of [done, hidden, single, test]) await service.done(listId);

  await until(async () => {
    const lists = await db.query<{ list_id: number }>(
      `SELECT list_id FROM mxproof.node_waiting WHERE list_id = ANY($1) UNION ALL SELECT list_id FROM mxproof.deferred WHERE list_id = $2`,
      [[running, slowSingle], deferred],
    );
    return lists.length === 3 && (await service.list(running))!.checked === 800;
  });

  await db.transaction((tx) => hideList(tx, hidden, id, 3_600));
  await fillRest(db, { id, done, mark });
  return { id, twin, running: [running, deferred, slowSingle, ...paused] };
}

/** What is written by requests, and by what nodes do beside checking. */
async function fillRest(db: Database, { id, done, mark }: { id: number; done: number; mark: string }) {
  const hash = randomBytes(32);
  const key = await insertKey(db, {
    accountId: id,
    prefix: 'mx_live_0000',
    hash,
    label: mark,
    manage: true,
    access: 'full',
    expiresAtSeconds: null,
    allowedIps: ['203.0.113.7'],
    rateRequests: null,
    rateAddresses: null,
  });
  await insertSession(db, { accountId: id, keyId: key.id, memberId: null, personId: null }, hash);
  await insertLink(db, id, hash);
  const email = `anna@${mark}.example`;
  const personId = await personOfMailbox(db, email);
  await insertIdentity(db, { issuer: 'https://id.example', subject: mark }, personId);
  const member = (await insertMember(db, { accountId: id, email, role: 'owner', personId }))!;
  await insertInvitation(db, { memberId: member.id, hash, byMail: true });
  const ofMember = { accountId: id, keyId: null, memberId: member.id, personId };
  await insertSession(db, ofMember, randomBytes(32));
  const [hook] = await db.query<{ id: number }>(
    `INSERT INTO mxproof.outcome_hooks (account_id, service, token_hash, signing_key) VALUES ($1, 'postmark', $2, $3) RETURNING id`,
    [id, hash, Buffer.from(mark)],
  );
  const statements: readonly (readonly [text: string, values: readonly unknown[]])[] = [
    [
      `INSERT INTO mxproof.outcome_hook_tokens (hook_id, token_hash, body_hash) VALUES ($1, $2, $2)`,
      [hook!.id, hash],
    ],
    [
      `INSERT INTO mxproof.link_mails (kind, email, account_id) VALUES ('invitation', $2, $1)`,
      [id, `invited@${mark}.example`],
    ],
    [
      `INSERT INTO mxproof.rate_windows (key_id, kind) VALUES ($1, 'account_requests'), ($2, 'addresses'), ($3, 'hook')`,
      [id, key.id, hook!.id],
    ],
    [
      `INSERT INTO mxproof.idempotency (account_id, route, key, body_hash, list_id, answer) VALUES ($1, 'lists', $2, $3, $4, $2)`,
      [id, mark, hash, done],
    ],
    [
      `INSERT INTO mxproof.shown_callbacks (account_id, list_id, url, headers, body) VALUES ($1, $2, $3, '{}', $3)`,
      [id, done, mark],
    ],
    [
      `INSERT INTO mxproof.asked_domains (account_id, domain, asked, unknown) VALUES ($1, $2, 30, 1) ON CONFLICT DO NOTHING`,
      [id, `${mark}.example`],
    ],
    [
      `INSERT INTO mxproof.catch_alls (account_id, domain, is_catch_all, list_id, found_at) VALUES ($1, $2, true, $3, now())
       ON CONFLICT DO NOTHING`,
      [id, `${mark}.example`, done],
    ],
    [
      `INSERT INTO mxproof.callback_targets (account_id, target, answered_at) VALUES ($1, '203.0.113.9:443', now())`,
      [id],
    ],
    [
      `INSERT INTO mxproof.retention_marks (account_id, kind, finished_at, list_id) VALUES ($1, 'evidence', now(), $2)`,
      [id, done],
    ],
    [
      `INSERT INTO mxproof.requests (account_id, at, id, method, route, status, duration_ms, client)
       VALUES ($1, now(), gen_random_uuid(), 'POST', '/v1/lists', 201, 3, $2)`,
      [id, mark],
    ],
    [
      `INSERT INTO mxproof.outcomes (account_id, event, hash, outcome, day, suppresses, domain, list_id, position)
       VALUES ($1, $2, $2, 'bounced', current_date, true, $3, $4, 0)`,
      [id, hash, `${mark}.example`, done],
    ],
    [
      `INSERT INTO mxproof.erasures (account_id, key_id, hash, sealed, up_to_list) VALUES ($1, 'k', $2, $3, 0)`,
      [id, hash, Buffer.from(mark)],
    ],
    [
      `INSERT INTO mxproof.erasures (account_id, key_id, hash, done_at, up_to_list) VALUES ($1, 'k', '\\x02', now(), 0)`,
      [id],
    ],
    [
      `INSERT INTO mxproof.audited_exports (list_id, actor, hour) VALUES ($1, 'key 1', date_trunc('hour', now()))`,
      [done],
    ],
  ];
  for (const [text, values] of statements) await db.query(text, values);
}

/** Of the account, its test side and their lists: how many rows each table has by which column. Tables without one are missing. */
export async function rowsOfAccount(
  db: Database,
  { id, twin }: FilledAccount,
  listIds: readonly number[],
): Promise<Record<string, number>> {
  const columns = await db.query<{ table: string; column: string }>(
    `SELECT c.relname::text AS table, a.attname::text AS column
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE n.nspname = 'mxproof' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
       AND a.attname ~ '(account_id|list_id|deleted_of)$' ORDER BY 1, 2`,
  );
  const found: Record<string, number> = {};
  for (const { table, column } of columns) {
    const ids = column.endsWith('list_id') ? listIds : [id, twin];
    const [row] = await db.query<{ count: number }>(
      `SELECT count(*) FROM mxproof.${table} WHERE ${column} = ANY($1)`,
      [ids],
    );
    found[`${table}.${column}`] = row!.count;
  }
  return found;
}

/** Also those that may be brought back. */
export async function listsOfAccount(db: Database, { id, twin }: FilledAccount): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    'SELECT id FROM mxproof.lists WHERE coalesce(account_id, deleted_of) = ANY($1) ORDER BY id',
    [[id, twin]],
  );
  return rows.map((row) => row.id);
}

/** Tables with a text, or bytes, in which the mark is. */
export async function tablesThatSay(db: Database, mark: string): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'mxproof' AND c.relkind = 'r' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.query(
      `SELECT FROM mxproof.${name} t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, encode($1::bytea, 'hex')) > 0 LIMIT 1`,
      [mark],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
