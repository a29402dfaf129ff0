// What accounts do over the API, and what their trail says of it afterwards.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditRowsIn, writtenBy } from '../../../test/audit-rows.ts';
import { startService, type TestResponse, type TestService } from '../../../test/http-service.ts';
import { addKey } from '../../flow/add-key.ts';
import { cancelList } from '../../flow/cancel-list.ts';
import { changeCredits } from '../../flow/change-credits.ts';
import { makeSignInLink, signAllOut } from '../../flow/sign-in.ts';
import { type Actor, AUDIT_ACTORS, AUDIT_WORDS, THE_SERVICE } from '../../rules/audit.ts';
import { readAudit, writeAudit } from '../../store/audit.ts';
import { wireAudit } from './wire-audit.ts';

const COMMAND: Actor = {
  ...{ kind: 'command', id: null, name: 'root', client: 'mx1', requestId: null },
};

let service: TestService;
let origin: string;
/** Texts that the trail must not have. */
const secrets: string[] = [];
beforeAll(async () => {
  service = await startService();
  origin = `http://127.0.0.1:${service.port}`;
});
afterAll(async () => {
  await service.close();
});
beforeEach(() => service.context.db.query('DELETE FROM mxproof.sign_in_attempts'));

const db = () => service.context.db;

interface Owner {
  readonly accountId: number;
  readonly key: string;
  readonly keyId: number;
}

async function newOwner(test = false): Promise<Owner> {
  const { accountId, apiKey, webhookSecret } = await service.open({ name: 'Private Person' });
  const added = await addKey(db(), THE_SERVICE, { accountId, label: 'Private label', manage: true, test });
  secrets.push(apiKey, webhookSecret, added.apiKey);
  const [row] = await db().query<{ account_id: number }>(
    'SELECT account_id FROM mxproof.api_keys WHERE id = $1',
    [added.key.id],
  );
  return { accountId: row!.account_id, key: added.apiKey, keyId: added.key.id };
}

type Send = (method: string, path: string, body?: unknown) => Promise<TestResponse>;
const withKey =
  (key: string): Send =>
  (method, path, body) =>
    service.call(method, `/v1${path}`, { key, ...(body === undefined ? {} : { body }) });

/** Carries it out, and expects the one row that it leaves. Its id, where the answer has one, is the subject unless said otherwise. */
async function one(
  send: Send,
  [method, path, body]: readonly [string, string, unknown?],
  expected: {
    accountId: number;
    action: string;
    actor?: string;
    actorId: number | null;
    subject?: number | 'id';
    facts?: object;
  },
): Promise<TestResponse> {
  const { rows, done } = await writtenBy(db(), () => send(method, path, body));
  expect(done.status, done.text).toBeLessThan(300);
  const { accountId, action, actor = 'key', actorId, subject, facts = {} } = expected;
  expect(rows).toEqual([
    {
      account_id: accountId,
      action,
      actor,
      actor_id: actorId,
      actor_name: null,
      client: '127.0.0.1',
      request_id: done.headers['x-request-id'],
      subject_id: subject === 'id' ? done.json.id : (subject ?? null),
      facts,
    },
  ]);
  for (const field of ['api_key', 'webhook_secret', 'url', 'proof'])
    if (typeof done.json?.[field] === 'string') secrets.push(done.json[field]);
  return done;
}

async function newList(
  key: string,
  emails = ['anna@private.example', 'ben@private.example'],
): Promise<number> {
  const made = await withKey(key)('POST', '/lists', { emails, name: 'Private list' });
  return made.json.id;
}

test.each([
  'live',
  'test',
])('everything that a %s key changes leaves one row, under its own side', async (mode) => {
  const { accountId, key, keyId: actorId } = await newOwner(mode === 'test');
  const send = withKey(key);
  const own = { accountId, actorId };
  const isTest = mode === 'test';

  const made = await one(
    send,
    ['POST', '/keys', { label: 'Private label', access: 'read', allowed_ips: ['10.0.0.0/8'] }],
    {
      ...own,
      action: 'key.created',
      subject: 'id',
      facts: {
        changes: { test: [null, isTest], manage: [null, false], access: [null, 'read'] },
        changed: ['label', 'allowed_ips'],
      },
    },
  );
  await one(send, ['DELETE', `/keys/${made.json.id}`], {
    ...own,
    action: 'key.revoked',
    subject: made.json.id,
  });
  if (!isTest) {
    await one(send, ['POST', '/account/webhook-secret'], { ...own, action: 'webhook_secret.replaced' });
    await one(send, ['PATCH', '/account', { name: 'Private Other', low_credits: 7 }], {
      ...own,
      action: 'account.changed',
      facts: { changes: { low_credits: [null, 7] }, changed: ['name'] },
    });
  }
  await one(send, ['PATCH', '/account', { low_credits: 9, outcomes: true }], {
    ...own,
    action: 'account.changed',
    facts: { changes: { low_credits: [isTest ? null : 7, 9], outcomes: [false, true] } },
  });

  const webhook = await one(
    send,
    ['POST', '/webhooks', { url: 'https://private.example/a', events: ['list.done'] }],
    {
      ...own,
      action: 'webhook.created',
      subject: 'id',
      facts: { changes: { events: [null, 'list.done'], paused: [null, false] }, changed: ['url'] },
    },
  );
  const endpoint = `/webhooks/${webhook.json.id}`;
  const ofEndpoint = { ...own, subject: webhook.json.id };
  await one(
    send,
    ['PATCH', endpoint, { description: 'Private words', paused: true, events: ['list.done', 'list.failed'] }],
    {
      ...ofEndpoint,
      action: 'webhook.changed',
      facts: {
        changes: { events: ['list.done', 'list.done,list.failed'], paused: [false, true] },
        changed: ['description'],
      },
    },
  );
  await one(send, ['POST', `${endpoint}/secret`], { ...ofEndpoint, action: 'webhook.secret_replaced' });
  await one(send, ['DELETE', endpoint], { ...ofEndpoint, action: 'webhook.deleted' });

  const hook = await one(send, ['POST', '/hooks', { service: 'postmark' }], {
    ...own,
    action: 'hook.created',
    subject: 'id',
    facts: { changes: { service: [null, 'postmark'] } },
  });
  await one(send, ['DELETE', `/hooks/${hook.json.id}`], {
    ...own,
    action: 'hook.deleted',
    subject: hook.json.id,
  });

  const emails = ['anna@private.example', 'bob@private.example'];
  expect((await send('POST', '/suppressions', { emails })).status).toBe(200);
  await one(send, ['POST', '/suppressions/remove', { emails }], {
    ...own,
    action: 'suppressions.removed',
    facts: { changes: { removed: [null, 2] } },
  });
  // None of them is on it any more.
  const again = await writtenBy(db(), () => send('POST', '/suppressions/remove', { emails }));
  expect([again.done.json, again.rows]).toEqual([{ removed: 0 }, []]);

  const cancelled = await newList(key);
  const ofList = { ...own, subject: cancelled };
  await one(send, ['POST', `/lists/${cancelled}/cancel`], {
    ...ofList,
    action: 'list.cancelled',
    facts: { changes: { status: ['processing', 'failed'] } },
  });
  await one(send, ['GET', `/lists/${cancelled}/results?format=csv`], { ...ofList, action: 'list.exported' });
  await one(send, ['DELETE', `/lists/${cancelled}?undo=60`], {
    ...ofList,
    action: 'list.deleted',
    facts: { changes: { undo_seconds: [null, 60] } },
  });
  await one(send, ['POST', `/lists/${cancelled}/undelete`], { ...ofList, action: 'list.restored' });
  await one(send, ['DELETE', `/lists/${cancelled}`], { ...ofList, action: 'list.deleted' });

  const erased = await one(send, ['POST', '/erase', { email: 'anna@private.example' }], {
    ...own,
    action: 'address.erased',
    subject: 'id',
  });
  expect(erased.status).toBe(202);

  await db().query(
    `WITH list AS (INSERT INTO mxproof.lists (account_id, single, name_json, total, duplicates_removed, callback_url, status, finished_at)
       VALUES ($1, false, '""', 1, 0, 'https://private.example/c', 'done', now()) RETURNING id)
     INSERT INTO mxproof.callbacks (list_id, account_id, url, body, state)
     SELECT id, $1, 'https://private.example/c', '{}', 'failed' FROM list`,
    [accountId],
  );
  const [{ id: listId } = { id: 0 }] = await db().query<{ id: number }>(
    'SELECT max(id) AS id FROM mxproof.lists',
  );
  await one(send, ['POST', `/lists/${listId}/callback/resend`], {
    ...own,
    action: 'callback.resent',
    subject: listId,
    facts: { changes: { state: ['failed', 'pending'] } },
  });
});

test('a browser signs in with a key or a link, acts as a session, and signs out', async () => {
  const { accountId, key, keyId } = await newOwner();
  const signIn: Send = (method, path, body) => service.call(method, path, { key: null, body });
  const own = { accountId, actor: 'session', actorId: keyId };
  const signedIn = await one(signIn, ['POST', '/session', { api_key: key }], {
    ...own,
    action: 'session.begun',
  });
  const cookie = signedIn.headers['set-cookie']![0]!.split(';')[0]!;
  secrets.push(cookie.split('=')[1]!);
  const page = { cookie, 'mxproof-session-proof': signedIn.json.proof, origin, 'x-mxproof-console': '1' };
  const asPage: Send = (method, path, body) =>
    service.call(method, path, { key: null, headers: page, ...(body === undefined ? {} : { body }) });
  await one(asPage, ['PATCH', '/v1/account', { name: 'Private Third' }], {
    ...own,
    action: 'account.changed',
    facts: { changed: ['name'] },
  });
  await one(asPage, ['DELETE', '/session'], { ...own, action: 'session.ended' });

  const linked = await writtenBy(db(), () =>
    db().transaction((tx) => makeSignInLink(tx, COMMAND, accountId)),
  );
  secrets.push(linked.done);
  expect(linked.rows).toEqual([
    {
      ...{
        account_id: accountId,
        action: 'link.created',
        actor: 'command',
        actor_id: null,
        actor_name: 'root',
      },
      ...{ client: 'mx1', request_id: null, subject_id: null, facts: {} },
    },
  ]);
  const press: Send = (method, path) => service.call(method, path, { key: null, headers: { origin } });
  await one(press, ['POST', `/sign-in/${linked.done}`], {
    ...{ ...own, actorId: null },
    action: 'session.begun',
  });
  const out = await writtenBy(db(), () => db().transaction((tx) => signAllOut(tx, COMMAND, accountId)));
  expect(out.rows).toMatchObject([{ action: 'sessions.ended', facts: { changes: { sessions: [1, 0] } } }]);
});

test('what changes nothing, is refused or only reads leaves no row', async () => {
  const { key, accountId } = await newOwner();
  const send = withKey(key);
  await send('PATCH', '/account', { name: 'Same', low_credits: 5 });
  const list = await newList(key);
  const single = await send('POST', '/verify', { email: 'anna@private.example' });
  const ofSingle = String(single.headers['content-location']).replace('/v1', '');
  const { json: webhook } = await send('POST', '/webhooks', {
    url: 'https://private.example/b',
    events: ['list.done'],
  });
  const change = { accountId, amount: 5, note: '', key: 'once' };
  await changeCredits(db(), COMMAND, change);
  const { rows } = await writtenBy(db(), async () => {
    for (const [method, path, body] of [
      ['PATCH', '/account', { name: 'Same', low_credits: 5, outcomes: false }],
      ['PATCH', `/webhooks/${webhook.id}`, { url: 'https://private.example/b', paused: false }],
      ['DELETE', '/keys/999999'],
      ['DELETE', '/webhooks/999999'],
      ['DELETE', '/hooks/999999'],
      ['DELETE', '/lists/999999'],
      ['DELETE', `/lists/${list}?undo=5`],
      ['POST', `/lists/${list}/undelete`],
      ['POST', `/lists/${list}/pause`],
      ['POST', `/lists/${list}/resume`],
      ['POST', `/lists/${list}/callback/resend`],
      ['GET', ofSingle],
      ['GET', `/lists/${list}/results?limit=0`],
      ['GET', `/lists/${list}/breakdown`],
      ['GET', '/audit'],
      ['POST', '/erase', { email: '' }],
    ] as const)
      await send(method, path, body);
    expect(await changeCredits(db(), COMMAND, change)).toEqual({ kind: 'repeated' });
  });
  expect(rows).toEqual([]);
});

test('a change that is rolled back leaves no row', async () => {
  const { accountId } = await newOwner();
  const { rows } = await writtenBy(db(), () =>
    expect(
      db().transaction(async (tx) => {
        await addKey(tx, THE_SERVICE, { accountId, label: '', manage: false });
        throw new Error('after the key');
      }),
    ).rejects.toThrow('after the key'),
  );
  expect(rows).toEqual([]);
});

test('an account reads its own side, newest first, and of the operator no more than that it was him', async () => {
  const { accountId, apiKey: key } = await service.open();
  const send = withKey(key);
  const test = await addKey(db(), COMMAND, { accountId, label: 't', manage: true, test: true });
  await changeCredits(db(), COMMAND, { accountId, amount: -1, note: 'Private note', key: null });
  const list = await newList(key);
  await cancelList(service.context, { ...COMMAND, kind: 'admin_key', id: 3 }, list, null);
  const renamed = await send('PATCH', '/account', { name: 'Another' });
  await withKey(test.apiKey)('PATCH', '/account', { low_credits: 3 });

  const operator = { actor: { kind: 'operator', id: null, name: null }, client: null, request_id: null };
  const { entries } = (await send('GET', '/audit')).json;
  expect(entries).toEqual([
    {
      ...{ id: expect.any(Number), at: expect.any(Number), action: 'account.changed' },
      actor: { kind: 'key', id: expect.any(Number), name: null },
      ...{ client: '127.0.0.1', request_id: renamed.headers['x-request-id'], account_id: accountId },
      ...{ subject: null, changes: {}, changed: ['name'] },
    },
    expect.objectContaining({
      ...operator,
      ...{ action: 'list.cancelled', subject: { kind: 'list', id: list } },
      changes: { status: { before: 'processing', after: 'failed' } },
    }),
    expect.objectContaining({
      ...operator,
      ...{ action: 'credits.changed', changed: ['note'] },
      changes: { credits: { before: 1_000_000, after: 999_999 } },
    }),
    expect.objectContaining({
      ...operator,
      action: 'key.created',
      subject: { kind: 'key', id: test.key.id },
    }),
    expect.objectContaining({
      actor: { kind: 'service', id: null, name: null },
      ...{ action: 'account.created', changes: { credits: { before: null, after: 1_000_000 } } },
    }),
  ]);
  const ofTest = (await withKey(test.apiKey)('GET', '/audit')).json.entries;
  expect(ofTest.map(({ action }: { action: string }) => action)).toEqual(['account.changed']);
  expect(ofTest[0].account_id).toBe(accountId);

  const ids = async (query: string) =>
    (await send('GET', `/audit?${query}`)).json.entries.map(({ id }: { id: number }) =>
      entries.findIndex((entry: { id: number }) => entry.id === id),
    );
  expect(await ids('offset=1&limit=2')).toEqual([1, 2]);
  expect(await ids('action=credits.changed')).toEqual([2]);
  expect(await ids(`since=${entries[0].at}&limit=1`)).toEqual([0]);
  expect(await ids('since=99999999999999999999')).toEqual([]);
  expect(await ids('offset=99999999999999999999')).toEqual([]);
  expect(await ids('member=99999999999999999999')).toEqual([]);
});

test('a member’s own rows are found by the member', async () => {
  const { accountId, key } = await newOwner();
  await db().query(
    `SELECT mxproof.note_audit($1, 'list.deleted', 'member', 8, NULL, '10.0.0.1', NULL, 5, '{}')`,
    [accountId],
  );
  const { entries } = (await withKey(key)('GET', '/audit?member=8')).json;
  expect(entries).toMatchObject([{ actor: { kind: 'member', id: 8 }, subject: { kind: 'list', id: 5 } }]);
  expect((await withKey(key)('GET', '/audit?member=9')).json.entries).toEqual([]);
});

test.each([
  ['action=key.made', 'bad_action', 'action must be an action of the audit trail, such as key.created'],
  [
    'action=settings.changed',
    'bad_action',
    'action must be an action of the audit trail, such as key.created',
  ],
  ['member=0', 'bad_member', 'member must be a positive integer'],
  ['member=anna', 'bad_member', 'member must be a positive integer'],
  ['since=yesterday', 'bad_since', 'since must be a time in Unix seconds'],
  ['limit=0', 'bad_limit', 'limit must be a positive integer'],
])('%s is refused', async (query, code, error) => {
  const refused = await service.call('GET', `/v1/audit?${query}`);
  expect([refused.status, refused.headers['mxproof-error'], refused.json]).toEqual([400, code, { error }]);
});

test('a key that may not manage reads nothing of it', async () => {
  const { accountId } = await newOwner();
  for (const access of ['full', 'read'] as const) {
    const { apiKey } = await addKey(db(), THE_SERVICE, { accountId, label: '', manage: false, access });
    expect((await withKey(apiKey)('GET', '/audit')).headers['mxproof-error']).toBe('may_not_manage');
  }
});

test('what a proxy forwards is kept as an address or not at all', async () => {
  const proxied = await startService({ trustProxy: 2 });
  try {
    const rename = async (name: string, forwarded: string) =>
      proxied.call('PATCH', '/v1/account', { body: { name }, headers: { 'x-forwarded-for': forwarded } });
    await rename('a', '2001:db8::7, 10.0.0.1');
    await rename('b', 'anna@private.example, 10.0.0.1');
    const rows = await auditRowsIn(proxied.context.db);
    expect(rows.slice(-2).map(({ client }) => client)).toEqual(['2001:db8::7', null]);
  } finally {
    await proxied.close();
  }
});

test('the database takes every kind of actor, and the guide has every action', async () => {
  const { accountId } = await newOwner();
  for (const kind of AUDIT_ACTORS)
    await writeAudit(db(), { ...THE_SERVICE, kind }, { action: 'account.changed', accountId });
  const guide = readFileSync(new URL('../../../../docs/guide/audit.md', import.meta.url), 'utf8');
  for (const action of AUDIT_WORDS) expect(guide).toContain(`\`${action}\``);
});

test('what an operator is shown has who it was, and from where', async () => {
  const { accountId } = await newOwner();
  await changeCredits(db(), COMMAND, { accountId, amount: 3, note: '', key: null });
  const page = { accountId, action: null, actor: null, member: null, since: null, before: null };
  const [entry] = await readAudit(db(), { ...page, offset: 0, limit: 1 });
  expect(wireAudit(entry!, { forOperator: true })).toMatchObject({
    ...{ action: 'credits.changed', actor: { kind: 'command', id: null, name: 'root' }, client: 'mx1' },
    ...{ account_id: accountId, subject: null, changed: [] },
  });
});

test('after all this the trail has no secret, no address and no text of anyone', async () => {
  const [row] = await db().query<{ text: string; rows: number }>(
    `SELECT string_agg(a::text, ' ') AS text, count(*) AS rows FROM mxproof.audit a`,
  );
  expect(row!.rows).toBeGreaterThan(50);
  expect(secrets.length).toBeGreaterThan(20);
  for (const secret of secrets) expect(row!.text).not.toContain(secret);
  expect(row!.text).not.toMatch(/private|@|mx_live_|mx_test_|whsec_|https?:/i);
});
