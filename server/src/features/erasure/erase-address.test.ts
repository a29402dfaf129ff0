// Erasing an address while lists with it are finished, running, waiting and deleted.

import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../../test/fake-checker.ts';
import { lockWaits } from '../../../test/lock-waits.ts';
import { mentioning } from '../../../test/mentioning.ts';
import { quiet, startTestService, type TestService } from '../../../test/service.ts';
import { submission } from '../../../test/submission.ts';
import { until } from '../../../test/until.ts';
import { submitList } from '../../flow/submit-list.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { readResults } from '../../rules/chunk-results.ts';
import { erasedText, withoutErased } from '../../rules/erased-text.ts';
import { decompress } from '../../store/compress.ts';
import type { Database } from '../../store/database.ts';
import { hideList } from '../../store/deleted-lists.ts';
import { recall, rememberResponse } from '../../store/idempotency.ts';
import { listsOf } from '../../store/lists.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';
import { requestErasure, runErasure } from './erase-address.ts';
import { startErasures } from './start-erasures.ts';
import { readErasure } from './stored-erasures.ts';
import { eraseTexts, TEXTS } from './stored-rows.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function service(): Promise<TestService> {
  const started = await startTestService();
  closing.push(() => started.close());
  return started;
}

/** Every row of every table as text, evidence decompressed. */
async function everythingIn(db: Database): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'mxproof'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await db.query<{ text: string }>(`SELECT t::text AS text FROM mxproof."${name}" t`);
    texts.push(...rows.map(({ text }) => text));
  }
  const evidence = await db.query<{ data: Buffer }>('SELECT data FROM mxproof.evidence');
  texts.push(...evidence.map(({ data }) => decompress(data)));
  return texts.join('\n').toLowerCase();
}

async function erase(s: TestService, email: string, accountId: number | null = null) {
  const erasure = await requestErasure(s.db, THE_SERVICE, s.box, { email, accountId, isMine: true });
  return runErasure(s.context, s.box, erasure);
}

/** Of a list, in the order of its positions. */
async function rowsOf(db: Database, listId: number) {
  const chunks = await db.query<{ emails: string; results: string | null; size: number }>(
    'SELECT emails, results, size FROM mxproof.chunks WHERE list_id = $1 ORDER BY n',
    [listId],
  );
  return chunks.flatMap(({ emails, results, size }) => {
    const verdicts = readResults(results, size);
    return (JSON.parse(emails) as string[]).map((email, index) => ({ email, verdict: verdicts[index]! }));
  });
}

const kind = fc.constantFrom('ok', 'no', 'unknown', 'slow', 'wait');
const listOf = fc.record({
  others: fc.array(kind, { maxLength: 6 }),
  filler: fc.constantFrom(0, 0, 260),
  target: fc.option(fc.nat({ max: 5 }), { nil: null }),
  isNamedAfter: fc.boolean(),
  isOther: fc.boolean(),
});

test('whatever lists had it, no table has the address afterwards, its rows stay, and money and counts are exact', async () => {
  const s = await service();
  const otherAccount = await s.open();
  const checker = createFakeChecker({ namesRecipients: true, width: 10_000 });
  await s.node(checker);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(kind, fc.array(listOf, { minLength: 1, maxLength: 4 }), async (targetKind, wanted) => {
      run++;
      const target = `${targetKind}.o'target+${run}@exämple.com`;
      const lists: { id: number; emails: string[] }[] = [];
      for (const [index, { others, filler, target: place, isNamedAfter, isOther }] of wanted.entries()) {
        const emails = others.map((each, at) => `${each}-${run}-${index}-${at}@example.com`);
        emails.push(...Array.from({ length: filler }, (_, at) => `no-${run}-${index}-f${at}@example.com`));
        if (place !== null || emails.length === 0) emails.splice((place ?? 0) * 60, 0, target);
        const submitted = await submitList(
          s.context,
          submission(isOther ? otherAccount : s.accountId, emails, {
            name: isNamedAfter ? `for ${target.toUpperCase()}, of May` : 'test',
            callbackUrl: isNamedAfter ? `https://example.com/hook?about=${encodeURIComponent(target)}` : null,
          }),
        );
        if (submitted.kind !== 'created') throw new Error(submitted.kind);
        lists.push({ id: submitted.list.id, emails });
      }
      const isHeld = (email: string) => email.startsWith('slow') || email.startsWith('wait');
      const held = lists.flatMap(({ emails }) => emails.filter((email) => email.startsWith('slow')));
      await until(async () => {
        if (!held.every((email) => checker.asked.has(email))) throw new Error('not asked yet');
      });
      const before = new Map<number, Awaited<ReturnType<typeof rowsOf>>>();
      for (const { id } of lists) before.set(id, await rowsOf(s.db, id));
      const erased = await erase(s, `  ${target.toUpperCase()} `);
      const having = lists.filter(({ emails }) => emails.includes(target));
      expect(erased).toMatchObject({ isDone: true, lists: having.length, rows: having.length });
      // What the node still holds comes back now.
      await until(async () => {
        checker.release();
        await s.hurryDelayedJobs();
        for (const { id } of lists) if ((await s.list(id))!.status !== 'done') throw new Error('not done');
      });
      expect(await everythingIn(s.db)).not.toContain(`target+${run}@`);
      expect(await everythingIn(s.db)).not.toContain(encodeURIComponent(`target+${run}@`).toLowerCase());
      for (const { id, emails } of lists) {
        const rows = await rowsOf(s.db, id);
        expect(rows.map(({ email }) => email)).toEqual(
          emails.map((email) => (email === target ? '' : email)),
        );
        const at = emails.indexOf(target);
        if (at < 0) continue;
        const was = before.get(id)![at]!.verdict;
        if (was !== null) expect(rows[at]!.verdict).toEqual(was);
        else if (isHeld(target) && targetKind === 'slow')
          expect(rows[at]!.verdict).toMatchObject({
            state: 'unknown',
            reason: 'no_connect',
            detail: 'list_ended',
          });
        const counts = { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
        for (const { verdict } of rows) counts[verdict!.state]++;
        expect(await s.list(id)).toMatchObject({ ...counts, checked: emails.length });
      }
      expect(await verifyLedger(s.db)).toMatchObject({ differences: [] });
    }),
    { numRuns: 8 },
  );
});

test('a node that was asking writes nothing of it back, and its row is refunded once', async () => {
  const s = await service();
  const checker = createFakeChecker({ namesRecipients: true });
  await s.node(checker);
  const list = await s.submit(['slow1@example.com', 'slow2@example.com']);
  await until(async () => {
    if (checker.asked.size < 2) throw new Error('not asked yet');
  });
  expect(await erase(s, 'slow2@example.com', s.accountId)).toMatchObject({ lists: 1, rows: 1 });
  checker.release();
  await s.done(list.id);
  expect(await s.list(list.id)).toMatchObject({ deliverable: 1, unknown: 1, checked: 2 });
  const everything = await everythingIn(s.db);
  expect(everything).toContain('rcpt to:<slow1@example.com>');
  expect(everything).not.toContain('slow2@');
  // Again: there is nothing left to count or to refund.
  expect(await erase(s, 'slow2@example.com', s.accountId)).toMatchObject({ lists: 0, rows: 0 });
  const refunds = await s.db.query(`SELECT amount FROM mxproof.ledger WHERE kind = 'refund'`);
  expect(refunds).toEqual([{ amount: 1 }]);
});

test('one account erases in its own lists and those of its test keys, deleted ones included', async () => {
  const s = await service();
  const other = await s.open();
  const email = 'ok@example.com';
  const [twin] = await s.db.query<{ id: number }>(
    `INSERT INTO mxproof.accounts (name, webhook_secret, credits, test_of) VALUES ('twin', '', 0, $1) RETURNING id`,
    [s.accountId],
  );
  await s.db.query('UPDATE mxproof.accounts SET credits = 10 WHERE id = $1', [twin!.id]);
  const submitTo = async (accountId: number) => {
    const submitted = await submitList(s.context, submission(accountId, [email]));
    if (submitted.kind !== 'created') throw new Error(submitted.kind);
    return submitted.list.id;
  };
  const [own, deleted, test, foreign] = [
    await submitTo(s.accountId),
    await submitTo(s.accountId),
    await submitTo(twin!.id),
    await submitTo(other),
  ] as const;
  await s.node(createFakeChecker());
  for (const id of [own, deleted, test, foreign]) await s.done(id);
  expect(await hideList(s.db, deleted, s.accountId, 60)).toBe(true);
  expect(await erase(s, email, s.accountId)).toMatchObject({ lists: 3, rows: 3 });
  for (const id of [own, deleted, test]) expect((await rowsOf(s.db, id))[0]!.email).toBe('');
  expect((await rowsOf(s.db, foreign))[0]!.email).toBe(email);
});

test('what is stopped between two lists goes on where it was, at whichever node, and counts each list once', async () => {
  const s = await service();
  const email = 'ok@example.com';
  for (let each = 0; each < 5; each++) await s.submit([email, `no${each}@example.com`]);
  const erasure = await requestErasure(s.db, THE_SERVICE, s.box, { email, accountId: null, isMine: false });
  expect((await everythingIn(s.db)).split(email).length - 1).toBe(5);
  const killed = new AbortController();
  let transactions = 0;
  const dying = {
    ...s.context,
    db: {
      ...s.db,
      transaction: (async (work) => {
        if (++transactions === 3) killed.abort();
        return s.db.transaction(work);
      }) satisfies Database['transaction'],
    },
  };
  expect(await runErasure(dying, s.box, erasure, killed.signal)).toMatchObject({ isDone: false, lists: 3 });
  const node = startErasures({ context: s.context, box: s.box, dataDir: tmpdir(), log: quiet, lookMs: 10 });
  closing.push(() => node.stop());
  await until(async () => {
    if (!(await readErasure(s.db, erasure.id)).isDone) throw new Error('not done');
  });
  expect(await readErasure(s.db, erasure.id)).toMatchObject({ lists: 5, rows: 5 });
  expect(await everythingIn(s.db)).not.toContain(email);
});

test('a remembered request says nothing of the address afterwards, and its key stays used', async () => {
  const s = await service();
  const idempotency = {
    accountId: s.accountId,
    route: 'verify',
    key: 'first',
    bodyHash: createHash('sha256').update('ok@example.com').digest(),
  } as const;
  await s.submit(['ok@example.com'], { single: true, idempotency });
  await rememberResponse(s.db, idempotency, { status: 200, body: '{"email":"ok@example.com"}' });
  await s.submit(['ok2@example.com'], { idempotency: { ...idempotency, key: 'mail ok@example.com' } });
  await erase(s, 'ok@example.com');
  expect(await everythingIn(s.db)).not.toContain('ok@example.com');
  expect(await recall(s.db, idempotency)).toMatchObject({ sameBody: false, response: null });
  // The node that took the request answers last.
  await rememberResponse(s.db, idempotency, { status: 200, body: '{"email":"ok@example.com"}' });
  expect(await everythingIn(s.db)).not.toContain('ok@example.com');
});

const FILE = { name: 'spring.xlsx', rows: 1, addresses: 1, invalid: 0, duplicates: 0, corrected: 0 };

/** No address of a list is ever in one of them. */
const NEVER_ADDRESSES = [
  'alert_messages: condition, subject, way',
  'alerts: condition, subject',
  'api_keys: access, allowed_ips, hash, prefix',
  'asked_domains: domain',
  'backups: machine, path',
  'callback_targets: target',
  'callbacks: state',
  // Positions, and verdicts that name hosts.
  'admin_keys: allowed_ips, hash, prefix, scope',
  // Closed words, numbers, and names of fields; the name of an operator's own user.
  'audit: action, actor, actor_name, client, facts',
  'audited_exports: actor',
  'chunks: erased, owners, results',
  'deferred: groups',
  'doctor_reports: checks, machine',
  'erasure_key: plain, sealed',
  'http_nodes: keys, machine, url',
  'idempotency: route',
  'invitations: hash',
  'jobs: bound_to, data, queue',
  'ledger: kind',
  'lists: failure, group_word, status',
  'machine_disks: machine',
  // Names are read from where they are; the sentence repeats nothing that a relay said.
  'link_mails: error, kind',
  'mail_events: event, facts',
  'mail_recipients: error',
  'mailed_links: hash',
  'members: role',
  'nightly_backups: failure, folder, machine',
  'node_health: health',
  'node_waiting: waiting',
  'nodes: keys, sources',
  'openid_flows: browser_hash, invitation_hash, nonce, page_hash, proved, state_hash, verifier',
  'operator_links: hash',
  'outcome_hook_tokens: body_hash, token_hash',
  'outcome_hooks: service, signing_key, token_hash, topic',
  'operator_sessions: hash, subject',
  'parked_jobs: bound_to, data, queue',
  'rate_windows: kind, taken',
  'recipient_shares: budget, payer, source',
  'recipient_windows: budget, source',
  // The User-Agent is kept without addresses.
  'requests: client, error, method, route',
  'retention_marks: kind',
  'secret_key: fingerprint, previous',
  'sessions: hash',
  'sign_in_attempts: client',
  'sign_in_links: hash',
  'source_days: provider, source',
  'source_states: provider, refusal_kind, rested_by, source',
  'started_settings: machine, settings',
  'turns: duty',
  'warm_up_payers: payer, provider, source',
  'warm_ups: held_back, provider, source',
  'webhook_deliveries: event, facts, state',
  'webhook_endpoints: events, off_reason, previous_secret, secret',
];
/** Said in the guide. */
const STAY = [
  'accounts: external_id, mail, name, previous_webhook_secret, webhook_secret',
  // For a day.
  'admin_answers: answer, holder, key, request_hash',
  'admin_keys: label',
  'api_keys: label',
  'ledger: note, operator_key',
  // The mailbox of an invitation or of a sign-in, for a week.
  'link_mails: email',
  'mail_recipients: address',
  // Of people who use accounts, not of lists; they go with the membership, and links within minutes.
  'mailed_links: email',
  'members: email',
  'people: email',
  'person_identities: issuer, subject',
];
/** In ways of their own. */
const ERASED = [
  'catch_alls: domain',
  'chunks: emails',
  'evidence: data',
  'erasures: hash, key_id, sealed',
  'idempotency: body_hash',
  'outcomes: detail, domain, event, hash, outcome, provider, state',
];

test('it is decided of every column that can hold a text whether an address may be in it', async () => {
  const { db } = await service();
  const columns = await db.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'mxproof'
       -- What a month has, the trail has.
       AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('mxproof.%I', table_name)::regclass)
       AND data_type NOT IN
       ('bigint', 'boolean', 'date', 'double precision', 'inet', 'integer', 'interval', 'numeric', 'real', 'smallint',
        'timestamp with time zone', 'uuid')`,
  );
  const decided = [...NEVER_ADDRESSES, ...STAY, ...ERASED].flatMap((each) => {
    const [table, names] = each.split(': ') as [string, string];
    return names.split(', ').map((name) => `${table}.${name}`);
  });
  decided.push(...TEXTS.map(({ table, column }) => `${table}.${column}`));
  expect(columns.map(({ name }) => name).sort()).toEqual(decided.sort());
});

test('whatever text mentions it, in whatever case and form, the address goes, and its neighbours stay', async () => {
  const s = await service();
  const email = 'anna+x@exämple.com';
  const said =
    'ANNA+X@EXÄMPLE.COM, anna%2Bx%40ex%C3%A4mple.com, <Anna+x@xn--exmple-cua.com>; other+anna+x@exämple.com';
  const url = new URL(`https://example.com/?${said}`).href;
  const json = JSON.stringify({ said });
  const other = await s.open();
  const seen = (text: string) => text.toLowerCase().match(/(?<!other\+)anna(\+|%2b)x(@|%40)/g)?.length ?? 0;
  for (const accountId of [s.accountId, other]) {
    const submitted = await submitList(
      s.context,
      submission(accountId, ['ok@example.com'], {
        name: said,
        callbackUrl: url,
        file: { ...FILE, name: said },
      }),
    );
    if (submitted.kind !== 'created') throw new Error(submitted.kind);
    const { id } = submitted.list;
    await s.db.query(
      `INSERT INTO mxproof.callbacks (list_id, account_id, url, body, attempts)
       VALUES ($1, $2, $3, $4, jsonb_build_array($5::text))`,
      [id, accountId, url, json, said],
    );
    await s.db.query(
      'INSERT INTO mxproof.shown_callbacks (account_id, list_id, url, headers, body) VALUES ($1, $2, $3, $4, $4)',
      [accountId, id, url, json],
    );
    await s.db.query(
      `WITH e AS (
         INSERT INTO mxproof.webhook_endpoints (account_id, url, description, events, secret)
         VALUES ($1, $2, $3, '{}', '') RETURNING id)
       INSERT INTO mxproof.webhook_deliveries (endpoint_id, event, facts, body, attempts)
       SELECT id, 'test', '{}', $4, jsonb_build_array($3::text) FROM e`,
      [accountId, url, said, json],
    );
    await s.db.query(
      `INSERT INTO mxproof.idempotency (account_id, route, key, body_hash, list_id, answer)
       VALUES ($1, 'lists', 'a', '', $2, $3), ($1, 'lists', $4, '', $2, NULL)`,
      [accountId, id, json, said],
    );
  }
  await s.db.query(
    `INSERT INTO mxproof.source_states (source, provider, refusal_reply, refusal_link) VALUES ('', '', $1, $2)`,
    [said, url],
  );
  await s.db.query(
    `INSERT INTO mxproof.alerts (condition, subject, detail, since, is_told) VALUES ('a', '', $1, now(), false)`,
    [said],
  );
  await s.db.query(
    `INSERT INTO mxproof.alert_messages (id, way, condition, subject, body, error)
     VALUES (gen_random_uuid(), 'mail', 'a', '', $1, $2)`,
    [json, said],
  );
  // Three times in each of those columns, and the texts of accounts twice.
  const ofAccounts = TEXTS.filter(({ owner }) => owner !== null).length;
  const ofAll = TEXTS.length - ofAccounts;
  expect(seen(await everythingIn(s.db))).toBe(3 * (2 * ofAccounts + ofAll));
  await erase(s, email, s.accountId);
  // An account leaves the operator's texts as they are.
  expect(seen(await everythingIn(s.db))).toBe(3 * (ofAccounts + ofAll));
  await erase(s, email);
  const left = await everythingIn(s.db);
  for (const { file } of await listsOf(s.db, {
    accountId: other,
    offset: 0,
    limit: 1,
    status: null,
    withSingles: true,
  }))
    expect(file).toEqual({ ...FILE, name: expect.stringContaining('[erased], [erased], <[erased]>') });
  expect(seen(left)).toBe(0);
  expect(left).toContain('[erased], [erased], <[erased]>; other+anna+x@exämple.com');
});

/** PostgreSQL's text holds neither NUL nor a lone surrogate, and jsonb does not even hold them escaped. */
function stored({ kind, type }: (typeof TEXTS)[number], pieces: readonly string[]): string {
  const storable = (text: string) => text.replaceAll('\0', '').toWellFormed();
  const text = pieces.join('');
  if (kind === 'url') return new URL(`https://example.com/${text}?${text}`).href;
  if (kind !== 'json') return storable(text);
  const [key, value] = [pieces[0]!, text].map(type === 'jsonb' ? storable : String) as [string, string];
  return JSON.stringify({ [key]: [value, 1, null] });
}

test('whatever an address is made of, every text can still be read when it is erased, and is as it was but for it', async () => {
  const s = await service();
  await s.submit(['ok@example.com'], { callbackUrl: 'https://example.com/' });
  for (const row of [
    `callbacks (list_id, account_id, url, body) SELECT id, account_id, '', '""' FROM mxproof.lists`,
    `shown_callbacks (account_id, list_id, url, headers, body) SELECT account_id, id, '', '', '' FROM mxproof.lists`,
    `webhook_endpoints (account_id, url, description, events, secret) SELECT account_id, '', '', '{}', '' FROM mxproof.lists`,
    `webhook_deliveries (endpoint_id, event, facts, body) SELECT id, 'test', '{}', '""' FROM mxproof.webhook_endpoints`,
    `idempotency (account_id, route, key, body_hash, list_id) SELECT account_id, 'a', '', '', id FROM mxproof.lists`,
    `source_states (source, provider) VALUES ('', '')`,
    `alerts (condition, subject, detail, since, is_told) VALUES ('a', '', '', now(), false)`,
    `alert_messages (id, way, condition, subject, body) VALUES (gen_random_uuid(), 'mail', 'a', '', '')`,
  ])
    await s.db.query(`INSERT INTO mxproof.${row}`);
  const texts = TEXTS.filter(({ kind }) => kind !== 'key');
  await fc.assert(
    fc.asyncProperty(mentioning(), async ({ email, pieces }) => {
      const erased = erasedText(email)!;
      const before = texts.map((text) => stored(text, pieces));
      for (const [index, { table, column, type = 'text' }] of texts.entries())
        await s.db.query(`UPDATE mxproof.${table} SET ${column} = $1::${type}`, [before[index]]);
      await s.db.transaction((tx) => eraseTexts(tx, [erased], null));
      for (const [index, { table, column, kind, type }] of texts.entries()) {
        const [row] = await s.db.query<{ text: string }>(
          `SELECT ${column}::text AS text FROM mxproof.${table}`,
        );
        const expected = withoutErased(kind as 'plain', before[index]!, erased);
        if (type === 'jsonb') expect(JSON.parse(row!.text)).toEqual(JSON.parse(expected));
        else expect(row!.text, `${table}.${column}`).toBe(expected);
      }
    }),
    { numRuns: 60 },
  );
});

test('a text that changes while the erasure waits for it is erased as it is then', async () => {
  const s = await service();
  const { id } = await s.submit(['ok@example.com'], { name: 'of anna@example.com' });
  const other = await s.db.connectAlone();
  closing.push(() => other.end());
  await other.query('BEGIN');
  await other.query('UPDATE mxproof.lists SET name_json = $2 WHERE id = $1', [
    id,
    '"anna@example.com, renamed"',
  ]);
  const erasing = s.db.transaction((tx) => eraseTexts(tx, [erasedText('anna@example.com')!], null));
  await until(async () => expect(await lockWaits(s.db)).toBe(1));
  await other.query('COMMIT');
  await erasing;
  expect(await s.db.query('SELECT name_json FROM mxproof.lists')).toEqual([
    { name_json: '"[erased], renamed"' },
  ]);
});

test('more texts than are read at once are all erased', async () => {
  const s = await service();
  await s.db.query(
    `INSERT INTO mxproof.lists (account_id, single, name_json, total, duplicates_removed)
     SELECT $1, false, to_json('anna@example.com, ' || repeat('x', n % 3 * 2000)), 1, 0 FROM generate_series(1, 2100) AS n`,
    [s.accountId],
  );
  await s.db.transaction((tx) => eraseTexts(tx, [erasedText('anna@example.com')!], [s.accountId]));
  const [left] = await s.db.query(
    `SELECT count(*) FILTER (WHERE name_json LIKE '"[erased], %') AS erased FROM mxproof.lists`,
  );
  expect(left).toEqual({ erased: 2100 });
});
