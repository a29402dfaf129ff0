// Callbacks of test lists, those who listen to them, and the guide that describes it all.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signStandard } from '../src/callback/sign.ts';
import { createCallbackPoller } from '../src/worker/callback-poller.ts';
import { startNotifications } from '../src/worker/notifications.ts';
import { type EventReader, readEvents } from './event-reader.ts';
import { quiet } from './service.ts';
import { startTestMode, type TestMode } from './test-mode.ts';
import { until } from './until.ts';

let mode: TestMode;
beforeEach(async () => {
  mode = await startTestMode();
});
afterEach(() => mode.end());

test('callbacks of test lists are sent, signed with the account’s own secret', async () => {
  const { service, receiver, submit, finished } = mode;
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

test('a callback of a test list says so in its id, in every attempt, unless it was made before that was so', async () => {
  const { service, receiver, submit, finished } = mode;
  const id = await submit({ emails: ['a@example.com'], callback_url: receiver.url });
  const sentIds = () => receiver.received.map(({ headers }) => headers['webhook-id']);
  const resend = async () => {
    const { status } = await service.call('POST', `/v1/lists/${id}/callback/resend`, { key: mode.key });
    return status === 202;
  };
  await finished(id);
  await until(() => receiver.received.length === 1);
  const { body, headers } = receiver.received[0]!;
  const timestampSeconds = Number(headers['webhook-timestamp']);
  const message = { id: `test_list.done.${id}`, timestampSeconds, body };
  expect(headers['webhook-signature']).toBe(signStandard(service.account.webhookSecret, message));
  await until(resend);
  await until(() => receiver.received.length === 2);
  // As a version before 0.3 inserts it.
  await service.context.db.query('UPDATE mxproof.callbacks SET says_test = DEFAULT');
  await until(resend);
  await until(() => receiver.received.length === 3);
  expect(sentIds()).toEqual([`test_list.done.${id}`, `test_list.done.${id}`, `list.done.${id}`]);
});

async function listen(headers: Record<string, string> = {}, listening = mode.key): Promise<EventReader> {
  const reader = await readEvents(mode.service.port, '/v1/callbacks/listen', listening, { headers });
  mode.closers.push(async () => reader.close());
  return reader;
}

test('a listener sees each attempt as it is sent: url, headers and the exact body', async () => {
  const { receiver, submit } = mode;
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

test('a callback without a response is shown too, every attempt of it, and again to a client that reconnects', async () => {
  const { receiver, submit } = mode;
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
  const { service, receiver, testAccountId, closers, submit } = mode;
  const { db } = service.context;
  const notifications = startNotifications(db, quiet);
  const callbackWatch = createCallbackPoller({ db, notifications, log: quiet });
  closers.push(notifications.stop, callbackWatch.stop);
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
  const { service, receiver, checker, startWork, stopWork } = mode;
  const refused = await service.call('GET', '/v1/callbacks/listen');
  expect([refused.status, refused.json]).toEqual([403, { error: 'only a test key can listen to callbacks' }]);
  const { db } = service.context;
  await stopWork();
  const live = await service.call('POST', '/v1/lists', {
    body: { emails: ['b@example.com'], callback_url: receiver.url },
  });
  startWork();
  await until(() => receiver.received.length === 1);
  expect(receiver.received[0]!.headers['webhook-id']).toBe(`list.done.${live.json.id}`);
  expect(await db.query('SELECT id FROM mxproof.shown_callbacks')).toEqual([]);
  expect(live.status).toBe(201);
  checker.asked.clear();
});

/** Those in the guide are of another service. */
const anyIdAndTime = (name: string, value: unknown) =>
  ['id', 'list_id', 'created_at'].includes(name) ? expect.any(Number) : value;

test('every example of the guide does what the guide says', async () => {
  const { service, key, closers } = mode;
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/testing.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, kind, text]) => ({
    kind,
    text: text!,
  }));
  const env = { PATH: process.env.PATH, KEY: service.account.apiKey, TEST_KEY: key };
  let answered: unknown;
  let streamed = '';
  for (const [at, { kind, text }] of blocks.entries()) {
    if (kind === 'json') expect(answered).toEqual(JSON.parse(text, anyIdAndTime));
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
    // Unless the guide shows the refusal.
    if (!blocks[at + 1]?.text.startsWith('{"error"')) expect(answered).not.toHaveProperty('error');
  }
  expect(streamed).toContain('"url":"https://127.0.0.1/hook"');
});
