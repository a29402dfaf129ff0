// The life of an account by /admin/v1, each step with one row of the audit trail.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminClient, adminOf, auditOf } from '../../../test/admin-service.ts';
import { startService, type TestResponse, type TestService } from '../../../test/http-service.ts';
import { accepted } from '../../../test/verdicts.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startService();
  admin = await adminOf(service);
});
afterAll(async () => {
  expect((await verifyLedger(service.context.db)).differences).toEqual([]);
  await service.close();
});

/** Its answer; throws unless it is one of these statuses and the trail has exactly this row of it. */
async function step(
  action: string | null,
  method: string,
  path: string,
  body?: object,
): Promise<TestResponse> {
  let answer: TestResponse | undefined;
  const written = await auditOf(service, async () => {
    answer = await admin.call(method, path, { ...(body && { body }) });
  });
  expect(answer!.status, answer!.text).toBeLessThan(300);
  expect(
    written.map((row) => row.action),
    `${method} ${path}`,
  ).toEqual(action === null ? [] : [action]);
  for (const { actor, actorId } of written) expect([actor, actorId]).toEqual(['admin_key', admin.keyId]);
  return answer!;
}

const open = async (more: object = {}) =>
  (await admin.call('POST', '/accounts', { body: { name: 'Acme', credits: 100, ...more } })).json;

test('an account’s life, each step one row of the trail', async () => {
  const wanted = { name: ' Acme GmbH ', credits: 500, note: 'invoice 1', external_id: 'crm-1' };
  const { json: made } = await step('account.created', 'POST', '/accounts', wanted);
  const { id, api_key: key, webhook_secret: secret } = made;
  expect(made).toMatchObject({
    name: 'Acme GmbH',
    external_id: 'crm-1',
    status: 'active',
    credits: 500,
    credits_used: 0,
    lists: 0,
    last_active_at: null,
    rate_requests: null,
    monthly_credits: null,
    mail: null,
  });
  expect([key, secret]).toEqual([expect.stringMatching(/^mx_live_/), expect.stringMatching(/^whsec_/)]);
  const asOwner = (method: string, path: string, body?: object) =>
    service.call(method, path, { key, ...(body && { body }) });
  const history = await asOwner('GET', '/v1/account/history');
  expect(history.json.entries).toMatchObject([{ kind: 'grant', credits: 500, note: 'invoice 1' }]);

  const more = await step('credits.changed', 'POST', `/accounts/${id}/credits`, { credits: 250 });
  expect(more.json).toMatchObject({ id, credits: 750 });
  const less = await step('credits.changed', 'POST', `/accounts/${id}/credits`, { credits: -50, note: 'n' });
  expect(less.json.credits).toBe(700);

  const changes = {
    name: 'Acme AG',
    external_id: 'crm-2',
    rate_requests: 60,
    rate_addresses: 1_000,
    retention: { results: 30, evidence: 7 },
    monthly_credits: 5_000,
    mail: 'ann@example.com',
  };
  const changed = await step('account.changed', 'PATCH', `/accounts/${id}`, changes);
  expect(changed.json).toMatchObject({
    ...changes,
    retention: { results: 30, evidence: 7, callbacks: null, single_checks: null },
    monthly_from: expect.stringMatching(/^\d{4}-\d\d-01$/),
  });
  await step(null, 'PATCH', `/accounts/${id}`, changes);
  await step(null, 'GET', `/accounts/${id}`);
  expect((await asOwner('GET', '/v1/account')).headers['ratelimit-policy']).toContain('"requests";q=60;');

  const { json: newKey } = await step('key.created', 'POST', `/accounts/${id}/keys`, { label: 'web' });
  const { json: keys } = await step(null, 'GET', `/accounts/${id}/keys`);
  expect(keys.keys.map(({ label }: { label: string }) => label)).toEqual(['first', 'web']);
  await step('key.revoked', 'DELETE', `/accounts/${id}/keys/${newKey.id}`);
  expect((await service.call('GET', '/v1/account', { key: newKey.api_key })).status).toBe(401);

  const { json: link } = await step('link.created', 'POST', `/accounts/${id}/link`);
  const pressed = await fetch(link.url, {
    method: 'POST',
    headers: { origin: new URL(link.url).origin },
  });
  expect(pressed.status).toBe(200);
  const out = await step('sessions.ended', 'POST', `/accounts/${id}/sign-out`);
  expect(out.json).toEqual({ sessions_ended: 1 });
  const { json: rotated } = await step('webhook_secret.replaced', 'POST', `/accounts/${id}/webhook-secret`);
  expect(rotated.webhook_secret).toMatch(/^whsec_/);

  const submitted = await asOwner('POST', '/v1/lists', { emails: ['a@example.com', 'b@example.com'] });
  await service.find(submitted.json.id, { 0: accepted });
  const suspended = await step('account.changed', 'PATCH', `/accounts/${id}`, { status: 'suspended' });
  expect(suspended.json.status).toBe('suspended');
  const refused = await asOwner('POST', '/v1/lists', { emails: ['c@example.com'] });
  expect([refused.status, refused.json]).toEqual([403, { error: 'account suspended' }]);
  expect((await asOwner('GET', `/v1/lists/${submitted.json.id}/results`)).status).toBe(200);
  await step('account.changed', 'PATCH', `/accounts/${id}`, { status: 'active' });

  const running = await step(null, 'GET', `/lists?account=${id}&status=checking`);
  expect(running.json.lists).toMatchObject([{ id: submitted.json.id, account_id: id, checked: 1 }]);
  const cancelled = await step('list.cancelled', 'POST', `/lists/${submitted.json.id}/cancel`);
  expect(cancelled.json).toMatchObject({ status: 'failed', account_id: id });
  expect((await admin.call('GET', `/accounts/${id}`)).json).toMatchObject({ credits: 699, credits_used: 1 });

  const invited = await asOwner('POST', '/v1/members', { email: 'bea@example.com', role: 'owner' });
  const { link: invitation, mailed: _, ...member } = invited.json;
  expect((await step(null, 'GET', `/accounts/${id}/members`)).json).toEqual({ members: [member] });
  await step('sessions.ended', 'POST', `/accounts/${id}/sign-out`);
  expect((await service.call('GET', new URL(invitation).pathname, { key: null })).status).toBe(404);

  await step('account.deleted', 'DELETE', `/accounts/${id}`);
  expect((await asOwner('GET', '/v1/account')).status).toBe(401);
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/credits'],
    ['GET', '/keys'],
    ['GET', '/members'],
    ['POST', '/link'],
  ] as const) {
    const body = method === 'PATCH' ? { name: 'x' } : { credits: 1 };
    const gone = await admin.call(method, `/accounts/${id}${path}`, {
      ...(method !== 'GET' && method !== 'DELETE' && { body }),
    });
    expect([gone.status, gone.json], `${method} ${path}`).toEqual([404, { error: 'account not found' }]);
  }
  const trail = await admin.call('GET', `/audit?account=${id}&limit=100`);
  expect(trail.json.entries[0]).toMatchObject({
    action: 'account.deleted',
    actor: { kind: 'admin_key', id: admin.keyId },
    client: '127.0.0.1',
    account_id: id,
    changes: { credits: { before: 699, after: null } },
  });
  const text = JSON.stringify(trail.json);
  for (const secretOrName of [key, secret, newKey.api_key, 'Acme', 'crm-', 'ann@', 'invoice', '@example.com'])
    expect(text).not.toContain(secretOrName);
});

test('accounts are found by a piece of the name, the external id or the id, a page at a time', async () => {
  const one = await open({ name: 'Needle & Söhne 100%', external_id: 'ND-77' });
  const two = await open({ name: 'needle_works' });
  const found = async (query: string) => {
    const answer = await admin.call('GET', `/accounts?${query}`);
    return [answer.json.accounts.map(({ id }: { id: number }) => id), answer.headers['x-total-count']];
  };
  expect(await found('q=NEEDLE')).toEqual([[two.id, one.id], '2']);
  expect(await found('q=needle&limit=1&offset=1')).toEqual([[one.id], '2']);
  expect(await found('q=nd-7')).toEqual([[one.id], '1']);
  expect(await found(`q=${one.id}`)).toEqual([expect.arrayContaining([one.id]), expect.any(String)]);
  expect(await found('q=100%25')).toEqual([[one.id], '1']);
  expect(await found('q=needle_w')).toEqual([[two.id], '1']);
  expect(await found('q=%00')).toEqual([[], '0']);
  await admin.call('PATCH', `/accounts/${two.id}`, { body: { status: 'suspended' } });
  expect(await found('q=needle&status=suspended')).toEqual([[two.id], '1']);
  // A page as large as the document says.
  await service.context.db.query(
    `INSERT INTO mxproof.accounts (name, webhook_secret) SELECT 'one of many', '' FROM generate_series(1, 1001)`,
  );
  const [many, total] = await found('q=one+of+many&limit=10000');
  expect([many.length, total]).toEqual([1_001, '1001']);
  for (const [query, error] of [
    ['q=', 'bad_search'],
    ['status=gone', 'bad_account_status'],
    ['limit=0', 'bad_limit'],
    ['offset=-1', 'bad_offset'],
  ])
    expect((await admin.call('GET', `/accounts?${query}`)).headers['mxproof-error'], query).toBe(error);
});

test('no two accounts have one external id, and a refused change changes nothing', async () => {
  const [one, two] = [await open({ external_id: 'same' }), await open()];
  const written = await auditOf(service, async () => {
    const made = await admin.call('POST', '/accounts', { body: { name: 'x', external_id: 'same' } });
    expect([made.status, made.json]).toEqual([409, { error: 'external_id belongs to another account' }]);
    const changed = await admin.call('PATCH', `/accounts/${two.id}`, {
      body: { name: 'Renamed', external_id: 'same', status: 'suspended' },
    });
    expect(changed.headers['mxproof-error']).toBe('external_id_taken');
  });
  expect(written).toEqual([]);
  expect((await admin.call('GET', `/accounts/${two.id}`)).json).toMatchObject({
    name: 'Acme',
    status: 'active',
  });
  await admin.call('PATCH', `/accounts/${one.id}`, { body: { external_id: null } });
  expect((await admin.call('PATCH', `/accounts/${two.id}`, { body: { external_id: 'same' } })).status).toBe(
    200,
  );
});

test('at most the balance is taken back', async () => {
  const { id } = await open({ credits: 10 });
  const take = (credits: unknown) => admin.call('POST', `/accounts/${id}/credits`, { body: { credits } });
  const refused = await take(-11);
  expect([refused.status, refused.json]).toEqual([409, { error: 'not enough credits' }]);
  expect((await take(-10)).json.credits).toBe(0);
  for (const credits of [0, 1.5, '5', null, 1e13, -1e13, undefined])
    expect((await take(credits)).headers['mxproof-error'], String(credits)).toBe('bad_credits');
  const detailOf = async (credits: number) => (await take(credits)).headers['mxproof-error-detail'];
  expect(await detailOf(1.5)).toBe('credits is a number: send a whole number');
  // A whole number already.
  expect(await detailOf(0)).toBeUndefined();
});

test('what is wrong with a body is told by its field', async () => {
  const { id } = await open();
  const why = async (path: string, body: unknown, method = 'POST') =>
    (await admin.call(method, path, { body })).headers['mxproof-error'];
  for (const [body, error] of [
    [{}, 'name_not_string'],
    [{ name: 5 }, 'name_not_string'],
    [{ name: '  ' }, 'bad_account_name'],
    [{ name: 'a\nb' }, 'bad_account_name'],
    [{ name: 'x'.repeat(201) }, 'name_too_long'],
    [{ name: 'x', credits: -1 }, 'bad_first_credits'],
    [{ name: 'x', credits: 1e13 }, 'bad_first_credits'],
    [{ name: 'x', note: 'a\u0000' }, 'bad_note'],
    [{ name: 'x', note: '\ud800' }, 'bad_note'],
    [{ name: 'x', external_id: '' }, 'bad_external_id'],
    [{ name: 'x', external_id: 7 }, 'bad_external_id'],
  ] as const)
    expect(await why('/accounts', body), JSON.stringify(body)).toBe(error);
  for (const [body, error] of [
    [{ status: 'gone' }, 'bad_account_status'],
    [{ rate_requests: 0 }, 'bad_rate'],
    [{ rate_addresses: 1e10 }, 'bad_rate'],
    [{ retention: { results: 0 } }, 'bad_retention'],
    [{ retention: { reslts: 5 } }, 'bad_retention'],
    [{ retention: 5 }, 'bad_retention'],
    [{ monthly_credits: 0 }, 'bad_monthly_credits'],
    [{ mail: 'no address' }, 'bad_mail'],
    [{ mail: 'a@b.example, c@d.example' }, 'bad_mail'],
    [{ mail: 'a@b.example\r\nBcc: c@d.example' }, 'bad_mail'],
  ] as const)
    expect(await why(`/accounts/${id}`, body, 'PATCH'), JSON.stringify(body)).toBe(error);
  expect(await why(`/accounts/${id}`, {}, 'PATCH')).toBe('bad_body');
  expect(await why(`/accounts/${id}/link`, [])).toBe('bad_body');
  const long = await admin.call('POST', '/accounts', { raw: `{"name":"${'x'.repeat(20_000)}"}` });
  expect([long.status, long.json]).toEqual([413, { error: 'request body too large' }]);
  expect((await admin.call('POST', '/accounts', { raw: '{' })).json).toEqual({ error: 'invalid JSON' });
});

test('a POST with an Idempotency-Key is done once, and gives the same secrets again', async () => {
  const headers = { 'idempotency-key': 'order 77' };
  const body = { name: 'Once', credits: 5 };
  const answers: TestResponse[] = [];
  const written = await auditOf(service, async () => {
    answers.push(
      ...(await Promise.all(
        Array.from({ length: 5 }, () => admin.call('POST', '/accounts', { headers, body })),
      )),
    );
    answers.push(await admin.call('POST', '/accounts', { headers, body }));
  });
  expect(written.map(({ action }) => action)).toEqual(['account.created']);
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(201);
  expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(5);
  const other = await admin.call('POST', '/accounts', { headers, body: { name: 'Twice' } });
  expect([other.status, other.headers['mxproof-error']]).toEqual([422, 'idempotency_key_reused']);
  const elsewhere = await admin.call('POST', `/accounts/${answers[0]!.json.id}/credits`, {
    headers,
    body: { credits: 1 },
  });
  expect(elsewhere.status).toBe(422);
  const stored = await service.context.db.query<{ all: string }>(
    "SELECT string_agg(encode(answer, 'escape'), '') AS all FROM mxproof.admin_answers",
  );
  expect(stored[0]!.all).not.toContain(answers[0]!.json.api_key);

  // Another key's keys are its own.
  const colleague = await adminOf(service);
  const own = await colleague.call('POST', '/accounts', { headers, body });
  expect([own.status, own.json.id === answers[0]!.json.id]).toEqual([201, false]);

  // A refusal is not remembered.
  const id = own.json.id;
  const take = () =>
    admin.call('POST', `/accounts/${id}/credits`, {
      headers: { 'idempotency-key': 'take' },
      body: { credits: -6 },
    });
  expect((await take()).status).toBe(409);
  await admin.call('POST', `/accounts/${id}/credits`, { body: { credits: 1 } });
  expect((await take()).json).toMatchObject({ credits: 0 });
  expect((await take()).headers['idempotent-replayed']).toBe('true');
  expect((await admin.call('GET', `/accounts/${id}`)).json.credits).toBe(0);
  // What was answered goes no further.
  expect(service.logged.filter((line) => line.includes('already sent'))).toEqual([]);
});

test('a database that is away refuses with 503, and nothing is half done', async () => {
  const { id } = await open({ credits: 10 });
  const { db } = service.context;
  await db.query(
    `CREATE FUNCTION mxproof.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full'; END $$;
     CREATE TRIGGER fail BEFORE INSERT ON mxproof.audit FOR EACH ROW EXECUTE FUNCTION mxproof.fail()`,
  );
  try {
    for (const [method, path, body] of [
      ['POST', `/accounts/${id}/credits`, { credits: 5 }],
      ['PATCH', `/accounts/${id}`, { status: 'suspended' }],
      ['POST', `/accounts/${id}/webhook-secret`, undefined],
      ['DELETE', `/accounts/${id}`, undefined],
    ] as const)
      expect((await admin.call(method, path, { ...(body && { body }) })).status, path).toBe(500);
  } finally {
    await db.query('DROP TRIGGER fail ON mxproof.audit; DROP FUNCTION mxproof.fail()');
  }
  expect((await admin.call('GET', `/accounts/${id}`)).json).toMatchObject({ credits: 10, status: 'active' });
});
