// Whatever admitted to an account before it was deleted admits to nothing afterwards.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEvents } from '../../test/event-reader.ts';
import { startService, type TestService } from '../../test/http-service.ts';
import { lockWaits } from '../../test/lock-waits.ts';
import { until } from '../../test/until.ts';
import { deleteAccount } from '../flow/delete-account.ts';
import { makeSignInLink } from '../flow/sign-in.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { closeAccount } from '../store/account-removal.ts';
import { lockWithTwin } from '../store/accounts.ts';

let service: TestService;
beforeEach(async () => {
  service = await startService({ heartbeatMs: 50 });
});
afterEach(() => service.close());

test('its keys, test keys, sessions, links and hooks are refused, and its streams end', async () => {
  const { accountId, apiKey } = service.account;
  const { db } = service.context;
  const origin = `http://127.0.0.1:${service.port}`;
  const { json: test } = await service.call('POST', '/v1/keys', { body: { label: 'test', test: true } });
  const { json: list } = await service.call('POST', '/v1/lists', { body: { emails: ['a@example.com'] } });
  const hook = { service: 'postmark', signing_key: 'name:password' };
  const { json: made } = await service.call('POST', '/v1/hooks', { body: hook });
  const signedIn = await service.call('POST', '/session', { key: null, body: { api_key: apiKey } });
  const token = await db.transaction((tx) => makeSignInLink(tx, THE_SERVICE, accountId));
  const ask = () =>
    service.call('GET', '/v1/lists', {
      key: null,
      headers: {
        cookie: String(signedIn.headers['set-cookie']).split(';')[0]!,
        'mxproof-session-proof': signedIn.json.proof,
        'x-mxproof-console': '1',
      },
    });
  expect((await ask()).status).toBe(200);
  const tellHook = () =>
    service.call('POST', new URL(made.url).pathname, {
      key: null,
      headers: { authorization: `Basic ${btoa('name:password')}` },
      body: { RecordType: 'Delivery', Recipient: 'a@example.com', MessageID: 'x' },
    });
  const stream = await readEvents(service.port, `/v1/lists/${list.id}/events`, apiKey);
  await until(() => stream.comments > 0);

  expect(await deleteAccount(service.context, THE_SERVICE, accountId)).toBe('deleted');
  for (const key of [apiKey, test.api_key]) {
    const { status, json } = await service.call('GET', '/v1/lists', { key });
    expect([status, json]).toEqual([401, { error: 'missing or invalid API key' }]);
    expect((await service.call('POST', '/session', { key: null, body: { api_key: key } })).status).toBe(401);
  }
  expect((await ask()).status).toBe(401);
  const redeemed = await service.call('POST', `/sign-in/${token}`, { key: null, headers: { origin } });
  expect(redeemed.status).toBe(404);
  expect((await tellHook()).status).toBe(401);
  expect(await stream.ended).toBe('end');
  expect((await service.call('GET', '/v1/lists', { key: (await service.open()).apiKey })).status).toBe(200);
});

test('a key or session that a request on its way still makes for it admits to nothing', async () => {
  const { accountId, apiKey } = service.account;
  const { db } = service.context;
  const { json: other } = await service.call('POST', '/v1/keys', { body: { label: 'other' } });
  const signedIn = await service.call('POST', '/session', { key: null, body: { api_key: apiKey } });
  const sessions = await db.query('SELECT account_id, key_id, hash FROM mxproof.sessions');
  await deleteAccount(service.context, THE_SERVICE, accountId, { forMs: 0 });
  await db.query('UPDATE mxproof.api_keys SET revoked_at = NULL');
  const [{ account_id, key_id, hash }] = sessions as [Record<string, unknown>];
  await db.query('INSERT INTO mxproof.sessions (account_id, key_id, hash) VALUES ($1, $2, $3)', [
    account_id,
    key_id,
    hash,
  ]);
  expect((await service.call('GET', '/v1/lists', { key: other.api_key })).status).toBe(401);
  const headers = {
    cookie: String(signedIn.headers['set-cookie']).split(';')[0]!,
    'mxproof-session-proof': signedIn.json.proof,
    'x-mxproof-console': '1',
  };
  expect((await service.call('GET', '/v1/lists', { key: null, headers })).status).toBe(401);
});

test('a webhook secret that is being made for it is neither stored nor shown', async () => {
  const { accountId } = service.account;
  const { db } = service.context;
  let answer: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await lockWithTwin(tx, accountId);
    answer = service
      .call('POST', '/v1/account/webhook-secret')
      .then(({ status, json }) => [status, Object.keys(json)]);
    await until(async () => expect(await lockWaits(db)).toBe(1));
    await closeAccount(tx, accountId);
  });
  expect(await answer).toEqual([401, ['error']]);
});
