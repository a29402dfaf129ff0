// Test mode from the request to the callback: the HTTP API, a node and the callbacks on one database, with an engine
// that nobody may ask.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addKey } from '../src/flow/add-key.ts';
import { openFirstAccount } from '../src/flow/first-account.ts';
import { unpackEvidence } from '../src/rules/evidence-pack.ts';
import { allAccounts } from '../src/store/accounts.ts';
import { decompress } from '../src/store/compress.ts';
import { verifyLedger } from '../src/store/ledger.ts';
import { createCallbackWatch } from '../src/worker/callback-watch.ts';
import { startListener } from '../src/worker/listener.ts';
import { startNode } from '../src/worker/node.ts';
import { createSingleChecks, type RunningSingles } from '../src/worker/single-checks.ts';
import { startCallbacks } from '../src/worker/start-callbacks.ts';
import { startSweeps } from '../src/worker/sweeps.ts';
import { type EventReader, readEvents } from './event-reader.ts';
import { createFakeChecker, type FakeChecker } from './fake-checker.ts';
import { startService, type TestService } from './http-service.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { quiet } from './service.ts';
import { until } from './until.ts';
import { accepted } from './verdicts.ts';

let service: TestService;
let receiver: Receiver;
let checker: FakeChecker;
let key: string;
let testAccountId: number;
let singles: RunningSingles;
const closers: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  checker = createFakeChecker();
  service = await startService({
    heartbeatMs: 50,
    singles: {
      makeWay: () => singles.makeWay(),
      begin: (...check) => singles.begin(...check),
      finished: (...wait) => singles.finished(...wait),
    },
  });
  receiver = await startReceiver((response) => response.end());
  startWork();
  const { db } = service.context;
  const { accountId } = service.account;
  const made = await db.transaction((tx) => addKey(tx, { accountId, label: '', manage: false, test: true }));
  key = made.apiKey;
  const [twin] = await db.query<{ id: number }>('SELECT id FROM mxproof.accounts WHERE test_of IS NOT NULL');
  testAccountId = twin!.id;
});
afterEach(async () => {
  await stopWork();
  await receiver.close();
  // Nothing was asked of anybody, whatever the test did.
  expect([...checker.asked]).toEqual([]);
  expect((await verifyLedger(service.context.db)).differences).toEqual([]);
  await service.close();
});

function startWork(): void {
  const { context, box } = service;
  const listener = startListener(context.db, quiet);
  const common = { context, log: quiet, listener, stopGraceMs: 100 };
  singles = createSingleChecks({ ...common, checker, keepEvidence: true });
  const node = startNode({ ...common, checker, keepEvidence: true, sources: [] });
  const settings = { retryMs: [10, 10], isAllowed: () => true, dnsServers: [], ca: receiver.ca };
  const callbacks = startCallbacks({ ...common, box, settings });
  closers.push(listener.stop, callbacks.stop, node.stop, singles.stop);
}
async function stopWork(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

const call = async (method: string, path: string, options = {}) => {
  const answered = await service.call(method, path, { key, ...options });
  expect(answered.headers['mxproof-mode']).toBe('test');
  return answered;
};
const verify = (email: string, headers = {}) => call('POST', '/v1/verify', { body: { email }, headers });
const submit = async (body: object) => {
  const made = await call('POST', '/v1/lists', { body });
  expect(made.status).toBe(201);
  return made.json.id as number;
};
const finished = (id: number) =>
  until(async () => {
    const { json } = await call('GET', `/v1/lists/${id}`);
    return json.finished_at !== null && json;
  });
const account = async () => (await call('GET', '/v1/account')).json;

const WORDS = [
  ...['accepted-email', 'low-deliverability', 'catch-all', 'low-quality', 'disposable', 'rejected-email'],
  ...['invalid-domain', 'invalid-email', 'unavailable-smtp', 'no-connect', 'dns-error'],
];

test('one address is checked at once, and charged on the test balance unless it is unknown', async () => {
  const found = await Promise.all(WORDS.map((word) => verify(`ann+${word}@example.com`)));
  expect(found.map(({ status }) => status)).toEqual(WORDS.map(() => 200));
  expect(found.map(({ json }) => json.reason)).toEqual([
    ...['accepted_email', 'low_deliverability', 'low_deliverability', 'low_quality', 'disposable'],
    ...['rejected_email', 'invalid_domain', 'invalid_email', 'unavailable_smtp', 'no_connect', 'dns_error'],
  ]);
  expect((await verify('not an address')).json.reason).toBe('invalid_email');
  expect(await account()).toMatchObject({ credits: 1_000_000 - 9, credits_used: 9, lists: 12 });
  const live = await service.call('GET', '/v1/account');
  expect(live.json).toMatchObject({ credits: 1_000_000, credits_used: 0, lists: 0 });
  expect(live.headers['mxproof-mode']).toBeUndefined();
});

test('a list goes the way of every list: results in order, counts, refunds, evidence that says it is a test', async () => {
  const emails = [...WORDS.map((word) => `${word}@example.com`), 'broken@', 'rate-limited@example.com'];
  const id = await submit({ emails, name: 'a test' });
  expect(await finished(id)).toMatchObject({
    status: 'done',
    total: 13,
    checked: 13,
    counts: { deliverable: 2, risky: 4, undeliverable: 4, unknown: 3 },
  });
  const { results } = (await call('GET', `/v1/lists/${id}/results`)).json;
  expect(results.map((row: { email: string }) => row.email)).toEqual(emails);
  expect(results[2]).toMatchObject({ state: 'risky', reason: 'low_deliverability', accept_all: true });
  expect((await call('GET', `/v1/lists/${id}/results?format=csv`)).status).toBe(200);
  expect(await account()).toMatchObject({ credits: 1_000_000 - 10, credits_used: 10, lists: 1 });
  const [row] = await service.context.db.query<{ data: Buffer }>('SELECT data FROM mxproof.evidence');
  const evidence = unpackEvidence(decompress(row!.data));
  expect(evidence.size).toBe(13);
  expect(evidence.get(5)!.rule).toBe('test: rejected-email');
});

test('test lists and live lists do not see each other', async () => {
  const id = await submit({ emails: ['a@example.com'] });
  await finished(id);
  for (const path of [`/v1/lists/${id}`, `/v1/lists/${id}/results`]) {
    const refused = await service.call('GET', path);
    expect([refused.status, refused.json]).toEqual([404, { error: 'list not found' }]);
  }
  expect((await service.call('GET', '/v1/lists')).json).toEqual({ lists: [] });
  await stopWork();
  const live = await service.call('POST', '/v1/lists', { body: { emails: ['b@example.com'] } });
  expect((await call('GET', `/v1/lists/${live.json.id}`)).status).toBe(404);
  expect((await call('DELETE', `/v1/lists/${live.json.id}`)).status).toBe(404);
  expect((await call('GET', '/v1/lists')).json.lists).toHaveLength(1);
});

test('POST /verify can be refused for want of credits, or for the rate', async () => {
  const short = await verify('ann+insufficient-credits@example.com');
  expect([short.status, short.json]).toEqual([402, { error: 'insufficient credits: 1 needed' }]);
  const limited = await verify('rate-limited@example.com');
  expect([limited.status, limited.json]).toEqual([429, { error: 'rate limit exceeded' }]);
  expect(limited.headers['retry-after']).toBe('1');
  expect(await account()).toMatchObject({ credits: 1_000_000, lists: 0 });
});

test('a slow address is pending, whatever wait was asked for, and survives a restart', async () => {
  const hasty = await verify('slow@example.com', { prefer: 'wait=0' });
  expect([hasty.status, hasty.headers['preference-applied']]).toEqual([202, 'wait=0']);
  const patient = await verify('slow@example.com', { prefer: 'wait=20' });
  expect([patient.status, patient.headers['preference-applied']]).toEqual([202, undefined]);
  const listed = await submit({ emails: ['slow@example.com', 'b@example.com'] });
  await stopWork();
  startWork();
  for (const id of [hasty.json.list_id, patient.json.list_id, listed]) {
    const { counts, total } = await finished(id);
    expect(counts.deliverable).toBe(total);
  }
});

test('a repeat gets the first answer, and is charged once', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = await verify('a@example.com', headers);
  expect((await verify('a@example.com', headers)).text).toBe(first.text);
  expect(await account()).toMatchObject({ credits_used: 1 });
  // The same key of a live request is another one.
  await stopWork();
  const body = { emails: ['x@example.com'] };
  expect((await service.call('POST', '/v1/lists', { body, headers })).status).toBe(201);
  expect((await call('POST', '/v1/lists', { body: { emails: ['y@example.com'] }, headers })).status).toBe(
    201,
  );
});

test('a list named fail fails, and its credits come back', async () => {
  const id = await submit({
    emails: Array.from({ length: 600 }, (_, n) => `a${n}@example.com`),
    name: 'fail',
  });
  expect(await finished(id)).toMatchObject({ status: 'failed', total: 600, checked: 0 });
  expect(await account()).toMatchObject({ credits: 1_000_000, credits_used: 0, lists: 1 });
  await until(async () => (await service.context.db.query('SELECT 1 FROM mxproof_jobs.job')).length === 0);
});

test('a test list has at most 10,000 addresses', async () => {
  const emails = Array.from({ length: 10_001 }, (_, n) => `a${n}@example.com`);
  const refused = await call('POST', '/v1/lists', { body: { emails } });
  expect([refused.status, refused.json]).toEqual([400, { error: 'max 10000 addresses per test list' }]);
  const id = await submit({ emails: emails.slice(1) });
  expect(await finished(id)).toMatchObject({ status: 'done', counts: { deliverable: 10_000 } });
});

test('a test balance that would not do is filled up with the charge itself', async () => {
  const { db } = service.context;
  await db.query(
    'UPDATE mxproof.accounts SET credits = credits - 999998, used = used + 999998 WHERE id = $1',
    [testAccountId],
  );
  await db.query(
    `INSERT INTO mxproof.ledger (account_id, kind, amount, list_id) VALUES ($1, 'charge', 999998, 999999)`,
    [testAccountId],
  );
  const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => verify(`${name}@example.com`)));
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await account()).toMatchObject({ credits: 999_998, credits_used: 1_000_002 });
});

test('while nothing is reachable, test lists go on', async () => {
  checker.reachable = false;
  const ids = await Promise.all(
    [1, 2, 3].map((n) => submit({ emails: Array.from({ length: 300 }, (_, m) => `a${n}-${m}@example.com`) })),
  );
  for (const id of ids) expect((await finished(id)).status).toBe('done');
});

test('callbacks of test lists are sent, signed with the account’s own secret', async () => {
  const id = await submit({ emails: ['a@example.com'], callback_url: receiver.url });
  await finished(id);
  await until(() => receiver.received.length > 0);
  const sent = receiver.received[0]!;
  expect(JSON.parse(sent.body.toString())).toMatchObject({
    event: 'list.done',
    list: { id, status: 'done' },
  });
  expect(sent.headers['x-mx-signature']).toBe(
    createHmac('sha256', service.account.webhookSecret).update(sent.body).digest('hex'),
  );
});

async function listen(headers: Record<string, string> = {}, listening = key): Promise<EventReader> {
  const reader = await readEvents(service.port, '/v1/callbacks/listen', listening, { headers });
  closers.push(async () => reader.close());
  return reader;
}

test('a listener sees each attempt as it is sent: url, headers and the exact body', async () => {
  const { status, headers, events } = await listen();
  expect([status, headers['mxproof-mode']]).toEqual([200, 'test']);
  const id = await submit({ emails: ['a@example.com'], callback_url: receiver.url });
  await until(() => receiver.received.length > 0);
  const sent = receiver.received[0]!;
  await until(() => events.length === 1);
  const shown = events[0];
  expect(shown).toMatchObject({ event: 'callback', data: { list_id: id, url: receiver.url } });
  expect(shown!.data.body).toBe(sent.body.toString());
  for (const [name, value] of Object.entries(shown!.data.headers as Record<string, string>))
    expect(sent.headers[name.toLowerCase()]).toBe(value);
});

test('a callback that nobody answers is shown too, every attempt of it, and again to who comes back', async () => {
  const { close, events } = await listen();
  const id = await submit({ emails: ['a@example.com'], callback_url: 'https://127.0.0.1:0/hook' });
  await until(() => events.length === 3);
  expect(new Set(events.map(({ data }) => data.list_id))).toEqual(new Set([id]));
  expect(new Set(events.map(({ data }) => data.body)).size).toBe(1);
  close();
  const back = await listen({ 'last-event-id': String(events[0]!.id) });
  await until(() => back.events.length === 2);
  expect(back.events).toEqual(events.slice(1));
  // Without an id only what comes from now on.
  const fresh = await listen();
  const next = await submit({ emails: ['b@example.com'], callback_url: receiver.url });
  await until(() => fresh.events.length === 1);
  expect(fresh.events[0]!.data.list_id).toBe(next);
});

test('a listener reads on any node, and its stream ends with its key', async () => {
  const { db } = service.context;
  const listener = startListener(db, quiet);
  const callbackWatch = createCallbackWatch({ db, listener, log: quiet });
  closers.push(listener.stop, callbackWatch.stop);
  const stop = new AbortController();
  const elsewhere = callbackWatch.sent(testAccountId, 0, stop.signal);
  const id = await submit({ emails: ['a@example.com'], callback_url: receiver.url });
  expect((await elsewhere.next()).value).toMatchObject({ listId: id, url: receiver.url });
  stop.abort();
  expect(await elsewhere.next()).toEqual({ done: true, value: undefined });
  const readers = await Promise.all(Array.from({ length: 10 }, () => listen()));
  expect((await listen()).status).toBe(429);
  await db.query('UPDATE mxproof.api_keys SET revoked_at = now() WHERE test');
  expect(await Promise.all(readers.map(({ ended }) => ended))).toEqual(readers.map(() => 'end'));
});

test('live keys do not listen, and callbacks of live lists are not shown', async () => {
  const refused = await service.call('GET', '/v1/callbacks/listen');
  expect([refused.status, refused.json]).toEqual([403, { error: 'only a test key can listen to callbacks' }]);
  const { db } = service.context;
  await stopWork();
  const live = await service.call('POST', '/v1/lists', {
    body: { emails: ['b@example.com'], callback_url: receiver.url },
  });
  startWork();
  await until(() => receiver.received.length === 1);
  expect(await db.query('SELECT id FROM mxproof.shown_callbacks')).toEqual([]);
  expect(live.status).toBe(201);
  checker.asked.clear();
});

test('every refusal of a test key says which mode it is', async () => {
  const refusals = [
    await call('GET', '/v1/nowhere'),
    await call('GET', '/v1/lists/999'),
    await call('POST', '/v1/lists', { raw: '{' }),
    await call('GET', '/v1/keys'),
    await call('GET', '/v1/account', { key: `mx_test_${'x'.repeat(43)}` }),
  ];
  await service.context.db.query('UPDATE mxproof.api_keys SET expires_at = now() WHERE test');
  refusals.push(await call('GET', '/v1/account'));
  expect(refusals.map(({ status }) => status)).toEqual([404, 404, 400, 403, 401, 401]);
});

test('test lists are gone after seven days, and the balance does not change', async () => {
  const { db } = service.context;
  const [old, young] = [
    await submit({ emails: ['a@example.com'] }),
    await submit({ emails: ['b@example.com'] }),
  ];
  await verify('single@example.com');
  for (const id of [old, young]) await finished(id);
  await stopWork();
  const { json: live } = await service.call('POST', '/v1/lists', { body: { emails: ['c@example.com'] } });
  await service.find(live.id, { 0: accepted });
  await db.query(`UPDATE mxproof.lists SET created_at = now() - interval '8 days' WHERE id <> $1`, [young]);
  const before = await account();
  const sweeps = startSweeps({
    context: service.context,
    listLimitMs: 1e9,
    evidenceKeptMs: 1e9,
    log: quiet,
  });
  await until(async () => (await account()).lists === 1);
  await sweeps.stop();
  expect(await account()).toEqual({ ...before, lists: 1 });
  expect((await call('GET', `/v1/lists/${young}`)).status).toBe(200);
  expect((await service.call('GET', `/v1/lists/${live.id}`)).status).toBe(200);
});

test('operators count accounts, not their test twins', async () => {
  const { db } = service.context;
  await verify('a@example.com');
  expect((await allAccounts(db)).map(({ id }) => id)).toEqual([service.account.accountId]);
  expect(await verifyLedger(db)).toMatchObject({ accounts: 1, lists: 0 });
  expect(await openFirstAccount(db, service.box, 1)).toBeNull();
});

test('every example of the guide does what the guide says', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/testing.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, kind, text]) => ({
    kind,
    text: text!,
  }));
  const env = { PATH: process.env.PATH, KEY: service.account.apiKey, TEST_KEY: key };
  let answered: unknown;
  let streamed = '';
  for (const { kind, text } of blocks) {
    if (kind === 'json') expect(answered).toMatchObject(JSON.parse(text));
    if (kind === '')
      await until(() => streamed.startsWith(':') && streamed.includes('event: callback\nid: '));
    if (kind !== 'sh') continue;
    const command = text.replaceAll('http://127.0.0.1:8080', `http://127.0.0.1:${service.port}`);
    const child = spawn('sh', ['-c', `exec ${command}`], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => {
      pieces.push(piece);
      if (command.includes('-sN')) streamed += piece;
    });
    const ended = once(child, 'close');
    if (command.includes('-sN')) {
      closers.push(async () => child.kill() && ended);
      await until(() => streamed !== '');
      continue;
    }
    expect(await ended).toEqual([0, null]);
    answered = JSON.parse(Buffer.concat(pieces).toString());
    expect(answered).not.toHaveProperty('error');
  }
  expect(streamed).toContain('"url":"https://127.0.0.1/hook"');
});
