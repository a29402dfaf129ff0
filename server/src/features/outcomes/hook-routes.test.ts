// The hooks of an account, and their door, over HTTP and on the real database.

import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { addKey } from '../../flow/add-key.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { HOOK_REQUESTS_A_MINUTE, MAX_HOOK_BYTES } from './hook-door.ts';
import { forgetHookKeys, sweepHookTokens } from './stored-hooks.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ publicUrl: 'https://mx.example' });
});
afterAll(() => service.close());

const MAILGUN_KEY = 'key-0123456789abcdef';
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:ses-events';
const DELIVERY = {
  RecordType: 'Delivery',
  MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
  Recipient: 'recipient@private.example',
  DeliveredAt: new Date().toISOString(),
  Details: '250 ok',
};

async function account({ outcomes = true } = {}) {
  const { apiKey: key, accountId } = await service.open();
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key, ...(body !== undefined && { body }) });
  if (outcomes) expect((await call('PATCH', '/v1/account', { outcomes: true })).status).toBe(200);
  return { key, accountId, call };
}

async function hook(body: object, of?: Awaited<ReturnType<typeof account>>) {
  const owner = of ?? (await account());
  const made = await owner.call('POST', '/v1/hooks', body);
  expect(made.status).toBe(201);
  const path = new URL(made.json.url).pathname;
  const send = (event: unknown, headers: Record<string, string> = {}) =>
    service.call('POST', path, {
      key: null,
      raw: typeof event === 'string' ? event : JSON.stringify(event),
      headers,
    });
  return { ...owner, id: made.json.id as number, path, token: path.split('/').at(-1)!, send };
}

function signedByMailgun(event: object, { token = 'a'.repeat(50), key = MAILGUN_KEY } = {}) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');
  return { signature: { timestamp, token, signature }, 'event-data': event };
}
const MAILGUN_EVENT = {
  id: 'e1',
  event: 'delivered',
  timestamp: Date.now() / 1_000,
  recipient: 'anna@private.example',
  'delivery-status': { code: 250, message: 'OK' },
};
const taken = (accepted: number, ignored = 0, duplicates = 0) => ({ accepted, ignored, duplicates });

test('a hook is made, its URL shown once, listed and deleted', async () => {
  const owner = await account();
  const made = await owner.call('POST', '/v1/hooks', { service: 'ses', topic: TOPIC });
  const { url, ...shown } = made.json;
  expect(url).toMatch(/^https:\/\/mx\.example\/v1\/hooks\/ses\/[\w-]{43}$/);
  expect(shown).toEqual({
    id: expect.any(Number),
    service: 'ses',
    topic: TOPIC,
    created_at: expect.any(Number),
    last_event_at: null,
  });
  expect((await owner.call('GET', '/v1/hooks')).json).toEqual({ hooks: [shown] });
  const other = await account();
  expect((await other.call('GET', '/v1/hooks')).json).toEqual({ hooks: [] });
  expect((await other.call('DELETE', `/v1/hooks/${shown.id}`)).json.error).toBe('hook not found');
  expect((await owner.call('DELETE', `/v1/hooks/${shown.id}`)).json).toEqual({ deleted: true });
  expect((await owner.call('DELETE', `/v1/hooks/${shown.id}`)).status).toBe(404);
  expect((await owner.call('DELETE', '/v1/hooks/x')).status).toBe(404);
});

test('what a hook may not be is refused, and so is the eleventh', async () => {
  const { call } = await account();
  const error = async (body: object) => (await call('POST', '/v1/hooks', body)).headers['mxproof-error'];
  for (const wrong of [{}, { service: 'smtp' }, { service: 'constructor' }, { service: ['ses'] }])
    expect(await error(wrong)).toBe('bad_service');
  expect(await error({ service: 'ses' })).toBe('bad_topic');
  expect(await error({ service: 'ses', topic: 7 })).toBe('bad_topic');
  expect(await error({ service: 'mailgun' })).toBe('bad_signing_key');
  expect(await error({ service: 'sendgrid', signing_key: 'x' })).toBe('bad_signing_key');
  expect(await error({ service: 'postmark', topic: TOPIC })).toBe('bad_topic');
  for (let n = 0; n < 10; n++)
    expect((await call('POST', '/v1/hooks', { service: 'postmark', topic: null })).status).toBe(201);
  expect(await error({ service: 'postmark' })).toBe('too_many_hooks');
});

test('only a key that may manage sees or changes hooks', async () => {
  const { accountId } = await account();
  const { apiKey: key } = await addKey(service.context.db, THE_SERVICE, {
    accountId,
    label: 'plain',
    manage: false,
  });
  for (const [method, path] of [
    ['GET', '/v1/hooks'],
    ['POST', '/v1/hooks'],
    ['DELETE', '/v1/hooks/1'],
  ] as const)
    expect((await service.call(method, path, { key })).headers['mxproof-error']).toBe('may_not_manage');
});

test('events are taken once, however often they come, and the hook says when the last one did', async () => {
  const { send, call } = await hook({ service: 'postmark' });
  expect((await send(DELIVERY)).json).toEqual(taken(1));
  expect((await send(DELIVERY)).json).toEqual(taken(0, 0, 1));
  expect((await send({ RecordType: 'Open', Recipient: 'a@private.example' })).json).toEqual(taken(0, 1));
  expect((await call('GET', '/v1/hooks')).json.hooks[0].last_event_at).toEqual(expect.any(Number));
});

test('where outcomes are off, the service is told 200 and nothing is kept', async () => {
  const off = await account({ outcomes: false });
  const { send, accountId } = await hook({ service: 'postmark' }, off);
  const answered = await send(DELIVERY);
  expect([answered.status, answered.json]).toEqual([200, taken(0, 1)]);
  const kept = await service.context.db.query('SELECT FROM mxproof.outcomes WHERE account_id = $1', [
    accountId,
  ]);
  expect(kept).toEqual([]);
});

test('no hook, another service’s path, a deleted one and a forged request are the same 401', async () => {
  const made = await hook({ service: 'mailgun', signing_key: MAILGUN_KEY });
  const wrong = [
    await service.call('POST', `/v1/hooks/mailgun/${'A'.repeat(43)}`, { key: null, body: MAILGUN_EVENT }),
    await service.call('POST', '/v1/hooks/mailgun/short', { key: null, body: MAILGUN_EVENT }),
    await service.call('POST', made.path.replace('mailgun', 'postmark'), { key: null, body: DELIVERY }),
    await service.call('POST', made.path.replace('mailgun', 'constructor'), { key: null, body: DELIVERY }),
    await made.send(signedByMailgun(MAILGUN_EVENT, { key: 'other' })),
    await made.send(MAILGUN_EVENT),
    await made.send('[]'),
  ];
  await made.call('DELETE', `/v1/hooks/${made.id}`);
  wrong.push(await made.send(signedByMailgun(MAILGUN_EVENT)));
  for (const { status, headers, text } of wrong)
    expect([status, headers['mxproof-error'], text]).toEqual([
      401,
      'hook_refused',
      '{"error":"no such hook, or nothing proves that its service sent this"}',
    ]);
});

test('a token of Mailgun is good for one body: a repeat of it is one, another body is refused', async () => {
  const { send, id } = await hook({ service: 'mailgun', signing_key: MAILGUN_KEY });
  const request = signedByMailgun(MAILGUN_EVENT);
  const answers = await Promise.all([send(request), send(request)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.reduce((sum, { json }) => sum + json.accepted, 0)).toBe(1);
  const forged = { ...request, 'event-data': { ...MAILGUN_EVENT, id: 'e2', event: 'complained' } };
  expect((await send(forged)).status).toBe(401);
  const { db } = service.context;
  await db.query(
    `UPDATE mxproof.outcome_hook_tokens SET created_at = now() - interval '3 days' WHERE hook_id = $1`,
    [id],
  );
  await sweepHookTokens(db);
  expect(await db.query('SELECT FROM mxproof.outcome_hook_tokens WHERE hook_id = $1', [id])).toEqual([]);
});

test('SendGrid is proven by the bytes of the body, over HTTP too', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const { send } = await hook({ service: 'sendgrid', signing_key: signingKey });
  const body = `[ {"email":"b@private.example","event":"delivered","sg_event_id":"ü1"}]\r\n`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = {
    'X-Twilio-Email-Event-Webhook-Signature': sign(
      'sha256',
      Buffer.from(timestamp + body),
      privateKey,
    ).toString('base64'),
    'X-Twilio-Email-Event-Webhook-Timestamp': timestamp,
    'content-type': 'application/json;charset=utf-8',
  };
  expect((await send(body, headers)).json).toEqual(taken(1));
  expect((await send(JSON.stringify(JSON.parse(body)), headers)).status).toBe(401);
});

test('a body is bounded, must be JSON, and comes as any type or none', async () => {
  const { send } = await hook({ service: 'postmark' });
  expect((await send(`"${'x'.repeat(MAX_HOOK_BYTES)}"`)).status).toBe(413);
  expect((await send('{')).headers['mxproof-error']).toBe('invalid_json');
  expect((await send('')).headers['mxproof-error']).toBe('invalid_json');
  expect((await send(DELIVERY, { 'content-encoding': 'gzip' })).status).toBe(415);
  expect((await send(DELIVERY, { 'content-type': 'text/plain; charset=UTF-8' })).status).toBe(200);
  expect((await send(DELIVERY, { 'content-type': 'nonsense' })).status).toBe(200);
});

test('a hook has a window of its own, which goes with it', async () => {
  const made = await hook({ service: 'postmark' });
  const { db } = service.context;
  expect((await made.send(DELIVERY)).status).toBe(200);
  const now = Date.now();
  await db.query(`UPDATE mxproof.rate_windows SET taken = $2 WHERE kind = 'hook' AND key_id = $1`, [
    made.id,
    JSON.stringify([now, HOOK_REQUESTS_A_MINUTE]),
  ]);
  const refused = await made.send(DELIVERY);
  expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
  expect((await (await hook({ service: 'postmark' })).send(DELIVERY)).status).toBe(200);
  await made.call('DELETE', `/v1/hooks/${made.id}`);
  const left = await db.query(`SELECT FROM mxproof.rate_windows WHERE kind = 'hook' AND key_id = $1`, [
    made.id,
  ]);
  expect(left).toEqual([]);
});

test('a test key’s hooks belong to test mode', async () => {
  const { accountId, call } = await account();
  const { apiKey: key } = await addKey(service.context.db, THE_SERVICE, {
    accountId,
    label: 'test',
    manage: true,
    test: true,
  });
  const made = await service.call('POST', '/v1/hooks', { key, body: { service: 'postmark' } });
  expect(made.status).toBe(201);
  expect((await call('GET', '/v1/hooks')).json).toEqual({ hooks: [] });
  expect((await service.call('GET', '/v1/hooks', { key })).json.hooks).toHaveLength(1);
});

test('the URL is stored nowhere, and neither it, nor a key, nor an address is logged', async () => {
  const made = await hook({ service: 'mailgun', signing_key: MAILGUN_KEY });
  await made.send(signedByMailgun(MAILGUN_EVENT));
  await made.send('{');
  await made.send(signedByMailgun(MAILGUN_EVENT, { key: 'x' }));
  for (const path of [
    `${made.path}/`,
    `${made.path}?x=1`,
    `${made.path}%00`,
    `/v1/hooks/nowhere/${made.token}`,
  ])
    for (const method of ['POST', 'GET', 'PUT']) await service.call(method, path, { key: null, body: {} });
  const logged = service.logged.join('\n');
  expect(logged).toContain('"route":"/v1/hooks/:service/:token"');
  for (const secret of [made.token, MAILGUN_KEY, 'private.example']) expect(logged).not.toContain(secret);
  const { db } = service.context;
  const tables = await db.query<{ name: string }>(
    `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'mxproof'`,
  );
  for (const { name } of tables) {
    const [row] = await db.query<{ text: string }>(
      `SELECT coalesce(string_agg(t::text, ' '), '') AS text FROM mxproof.${name} t`,
    );
    for (const secret of [made.token, MAILGUN_KEY, Buffer.from(MAILGUN_KEY).toString('hex')])
      expect(row!.text.includes(secret), name).toBe(false);
  }
});

test('a hook whose key was lost with the secret key takes nothing any more', async () => {
  const signed = await hook({ service: 'postmark', signing_key: 'user:password' });
  const open = await hook({ service: 'postmark' });
  const headers = { authorization: `Basic ${Buffer.from('user:password').toString('base64')}` };
  expect((await signed.send(DELIVERY, headers)).status).toBe(200);
  expect((await signed.send(DELIVERY)).status).toBe(401);
  await forgetHookKeys(service.context.db);
  expect((await signed.send(DELIVERY, headers)).status).toBe(401);
  expect((await open.send(DELIVERY)).status).toBe(200);
});

test('a hook goes with its account, and its tokens with it', async () => {
  const { db } = service.context;
  const rules = await db.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.confdeltype = 'c' AND c.relname LIKE 'outcome\\_hook%' ORDER BY 1`,
  );
  expect(rules.map(({ name }) => name)).toEqual(['outcome_hook_tokens', 'outcome_hooks']);
});
