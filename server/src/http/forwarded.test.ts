// What a request says about where it comes from, and how much of it is believed. The test stands for the proxy.

import { afterEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { addKey } from '../flow/add-key.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { readConfig } from '../settings/config.ts';

let service: TestService;
afterEach(() => service.close());

const start = async (MXPROOF_TRUST_PROXY: string) => {
  service = await startService({ trustProxy: readConfig({ MXPROOF_TRUST_PROXY }).trustProxy });
};

type Headers = Record<string, string>;

/** Whether a key for 203.0.113.0/24 and 2001:db8::/32 alone is taken. */
async function office(): Promise<(headers: Headers) => Promise<boolean>> {
  const { apiKey } = await addKey(service.context.db, THE_SERVICE, {
    accountId: service.account.accountId,
    label: 'office',
    manage: false,
    allowedIps: ['203.0.113.0/24', '2001:db8::/32'],
  });
  return async (headers) =>
    (await service.call('GET', '/v1/account', { key: apiKey, headers })).status === 200;
}

test('behind one proxy the last entry is the client’s, whatever the client has put before it', async () => {
  await start('1');
  const admits = await office();
  const from = (entries: string) => admits({ 'x-forwarded-for': entries });
  expect(await from('203.0.113.7')).toBe(true);
  expect(await from('198.51.100.1, 203.0.113.7')).toBe(true);
  expect(await from('203.0.113.7, 198.51.100.1')).toBe(false);
  expect(await from('203.0.113.7,203.0.113.7 ,\t198.51.100.1')).toBe(false);
  expect(await from('203.0.113.7, ::1')).toBe(false);
  // Without an entry of its own the proxy itself is the client.
  expect(await from(' , ')).toBe(false);
  expect(await admits({})).toBe(false);
});

test('an entry may have a port or brackets; one that is not an address matches no client', async () => {
  await start('1');
  const admits = await office();
  for (const entry of [
    '203.0.113.7:61234',
    '[2001:db8::7]:61234',
    '[2001:db8::7]',
    '2001:db8::7',
    '::ffff:203.0.113.7',
  ])
    expect([entry, await admits({ 'x-forwarded-for': `192.0.2.1, ${entry}` })]).toEqual([entry, true]);
  for (const entry of [
    'unknown',
    '203.0.113.7.evil.example',
    '203.0.113.7:0:1',
    '[203.0.113.7',
    '"203.0.113.7"',
    '203.0.113.7:61234:',
    '203.0.113.0/24',
  ])
    expect([entry, await admits({ 'x-forwarded-for': `203.0.113.7, ${entry}` })]).toEqual([entry, false]);
});

test('other headers about the client are not read', async () => {
  await start('1');
  const admits = await office();
  const forged = {
    forwarded: 'for=203.0.113.7;host=evil.example;proto=https',
    'x-real-ip': '203.0.113.7',
    'x-client-ip': '203.0.113.7',
    'true-client-ip': '203.0.113.7',
  };
  expect(await admits({ ...forged, 'x-forwarded-for': '198.51.100.1' })).toBe(false);
  expect(await admits(forged)).toBe(false);
});

test('each counted proxy is believed about the one before it', async () => {
  await start('2');
  const admits = await office();
  const from = (entries: string) => admits({ 'x-forwarded-for': entries });
  expect(await from('203.0.113.7, 10.0.0.1')).toBe(true);
  expect(await from('203.0.113.7, 198.51.100.1, 10.0.0.1')).toBe(false);
});

test('named proxies are believed as far as the chain is theirs', async () => {
  await start('127.0.0.1,10.0.0.0/8');
  const admits = await office();
  const from = (entries: string) => admits({ 'x-forwarded-for': entries });
  expect(await from('203.0.113.7, 10.0.0.1')).toBe(true);
  expect(await from('203.0.113.7, 10.0.0.1:8443, 10.0.0.2')).toBe(true);
  expect(await from('203.0.113.7, 198.51.100.1, 10.0.0.2')).toBe(false);
  expect(await from('203.0.113.7, garbage, 10.0.0.2')).toBe(false);
});

test('one sender who forges has the sign-ins of one', async () => {
  await start('1');
  const wrong = { api_key: `mx_live_${'a'.repeat(43)}` };
  const attempt = (n: number) =>
    service.call('POST', '/session', {
      key: null,
      body: wrong,
      headers: { 'x-forwarded-for': `203.0.113.${n}, 198.51.100.1:${20_000 + n}` },
    });
  for (let n = 0; n < 30; n++) expect((await attempt(n)).status).toBe(401);
  expect((await attempt(99)).status).toBe(429);
});

test('of several hosts and schemes the proxy’s own, the last, counts', async () => {
  await start('1');
  const signIn = (headers: Headers) =>
    service.call('POST', '/session', {
      key: null,
      body: { api_key: service.account.apiKey },
      headers: { origin: 'https://mx.example.com', ...headers },
    });
  const good = {
    'x-forwarded-host': 'evil.example, mx.example.com',
    'x-forwarded-proto': 'http, https',
  };
  const signedIn = await signIn(good);
  expect(signedIn.status).toBe(200);
  expect(signedIn.headers['set-cookie']![0]).toMatch(/^__Host-mxproof_session=.*; Secure$/);
  expect((await signIn({ ...good, 'x-forwarded-host': 'mx.example.com, evil.example' })).status).toBe(403);
  for (const host of ['mx.example.com@evil.example', 'mx.example.com/..', 'mx.example.com:x', ' '])
    expect([host, (await signIn({ ...good, 'x-forwarded-host': host })).status]).toEqual([host, 403]);
  // What is not clearly https is not taken for it.
  for (const scheme of ['https, http', 'https;', 'ftp', 'https://']) {
    const plain = await signIn({ ...good, 'x-forwarded-proto': scheme });
    expect([scheme, String(plain.headers['set-cookie'])]).toEqual([
      scheme,
      expect.stringMatching(/^mxproof_session=(?!.*Secure)/),
    ]);
  }
});

test('without a trusted proxy none of it counts', async () => {
  await start('0');
  const admits = await office();
  expect(await admits({ 'x-forwarded-for': '203.0.113.7' })).toBe(false);
  const signedIn = await service.call('POST', '/session', {
    key: null,
    body: { api_key: service.account.apiKey },
    headers: {
      origin: 'https://mx.example.com',
      'x-forwarded-host': 'mx.example.com',
      'x-forwarded-proto': 'https',
    },
  });
  expect(signedIn.status).toBe(403);
});
