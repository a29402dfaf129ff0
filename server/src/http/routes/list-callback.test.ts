import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { type Receiver, startReceiver } from '../../../test/receiver.ts';
import { quiet } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { accepted } from '../../../test/verdicts.ts';
import { reopenCallback, saveAttempt } from '../../store/callbacks.ts';
import { startNotifications } from '../../worker/notifications.ts';
import { startCallbacks } from '../../worker/start-callbacks.ts';

let service: TestService;
let receiver: Receiver;
let status = 500;
let stop: () => Promise<void>;
beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver((response) => response.writeHead(status).end());
  const { context, box } = service;
  const notifications = startNotifications(context.db, quiet);
  const callbacks = startCallbacks({
    context,
    box,
    log: quiet,
    notifications,
    stopGraceMs: 100,
    settings: {
      retryMs: [50, 50],
      isAllowed: (ip) => !ip.startsWith('10.'),
      dnsServers: [],
      ca: receiver.ca,
    },
  });
  stop = async () => {
    await callbacks.stop();
    await notifications.stop();
    await receiver.close();
  };
});
afterAll(async () => {
  await stop();
  await service.close();
});

async function listWith(callbackUrl: string) {
  const body = { emails: ['a@b.test'], callback_url: callbackUrl };
  const { json } = await service.call('POST', '/v1/lists', { body });
  const path = `/v1/lists/${json.id}`;
  const callback = async () => (await service.call('GET', `${path}/callback`)).json;
  const resend = async () => {
    const answered = await service.call('POST', `${path}/callback/resend`);
    return [answered.status, answered.json];
  };
  const finish = () => service.find(json.id, { 0: accepted });
  return { id: json.id as number, path, callback, resend, finish };
}

test('a callback’s attempts are shown as they are made, and a resend makes three more with the same bytes', async () => {
  const { callback, resend, finish } = await listWith(receiver.url);
  const { url } = receiver;
  const waiting = { url, state: 'pending', attempts: [], next_attempt_at: null };
  expect(await callback()).toEqual(waiting);
  expect(await resend()).toEqual([409, { error: 'callback is pending' }]);
  await finish();
  const failed = { at: expect.any(Number), status: 500, error: null, duration_ms: expect.any(Number) };
  await until(async () => expect((await callback()).state).toBe('failed'));
  expect(await callback()).toEqual({
    url,
    state: 'failed',
    attempts: [failed, failed, failed],
    next_attempt_at: null,
  });

  status = 204;
  const [accepting, again] = await resend();
  expect(accepting).toBe(202);
  expect(again).toMatchObject({ url, attempts: [failed, failed, failed] });
  await until(async () => expect((await callback()).state).toBe('delivered'));
  expect((await callback()).attempts).toEqual([failed, failed, failed, { ...failed, status: 204 }]);
  expect(receiver.received).toHaveLength(4);
  expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
});

test('of resends at the same moment one is done, the others find it pending', async () => {
  const { callback, resend, finish } = await listWith('https://localhost:1/');
  await finish();
  await until(async () => expect((await callback()).state).toBe('failed'));
  const answers = await Promise.all(Array.from({ length: 5 }, resend));
  expect(answers.map(([code]) => code).toSorted()).toEqual([202, 409, 409, 409, 409]);
});

test('an attempt that got no status says why, and names no address', async () => {
  const wordsOf = async (url: string) => {
    const { callback, finish } = await listWith(url);
    await finish();
    await until(async () => expect((await callback()).state).toBe('failed'));
    const { attempts } = await callback();
    expect(attempts).toHaveLength(3);
    return attempts[0];
  };
  expect(await wordsOf('https://10.1.2.3/')).toMatchObject({ status: null, error: 'private target' });
  expect(await wordsOf('https://127.0.0.1:1/')).toMatchObject({ status: null, error: 'ECONNREFUSED' });
});

test('without a callback_url, after a cancellation, and once it is forgotten there is no callback', async () => {
  const { json } = await service.call('POST', '/v1/lists', { body: { emails: ['a@b.test'] } });
  const cancelled = await listWith(receiver.url);
  await service.call('POST', `${cancelled.path}/cancel`);
  const forgotten = await listWith(receiver.url);
  await forgotten.finish();
  await service.context.db.query('DELETE FROM mxproof.callbacks WHERE list_id = $1', [forgotten.id]);
  for (const path of [`/v1/lists/${json.id}`, cancelled.path, forgotten.path])
    for (const [method, what] of [
      ['GET', 'callback'],
      ['POST', 'callback/resend'],
    ] as const) {
      const answered = await service.call(method, `${path}/${what}`);
      expect([answered.status, answered.json]).toEqual([404, { error: 'no callback' }]);
    }
});

test('however often it is sent again, the last thirty attempts are kept', async () => {
  const { id, callback, finish } = await listWith('https://localhost:1/');
  await finish();
  await until(async () => expect((await callback()).state).toBe('failed'));
  const { db } = service.context;
  for (let round = 1; round <= 12; round++) {
    await reopenCallback(db, id);
    for (let n = 0; n < 3; n++) {
      const attempt = { atSeconds: round, status: 500, error: null, durationMs: n };
      await saveAttempt(db, id, { attempt, state: 'failed', nextAfterSeconds: null });
    }
  }
  const { attempts } = await callback();
  expect(attempts).toHaveLength(30);
  expect(attempts[0].at).toBe(3);
  expect(attempts.at(-1)).toMatchObject({ at: 12, duration_ms: 2 });
});
