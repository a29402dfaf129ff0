import { createHmac } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { lockWaits } from '../../test/lock-waits.ts';
import { type Receiver, startReceiver } from '../../test/receiver.ts';
import { quiet, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { signBody, signStandard } from '../callback/sign.ts';
import { deleteList } from '../flow/delete-list.ts';
import { deleteWithUndo, undeleteList } from '../flow/delete-with-undo.ts';
import { rotateWebhookSecret } from '../flow/open-account.ts';
import { resendCallback } from '../flow/resend-callback.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { findCallback } from '../store/callbacks.ts';
import { startNotifications } from './notifications.ts';
import { startCallbacks } from './start-callbacks.ts';

let service: TestService;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  service = await startTestService();
  await service.node(createFakeChecker());
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await service.close();
});

async function receiving(answer: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  closers.push(receiver.close);
  return receiver;
}

function deliver(receiver: Receiver, retryMs: readonly number[], limitMs = 10_000, more = {}): void {
  const notifications = startNotifications(service.db, quiet);
  const callbacks = startCallbacks({
    context: service.context,
    box: service.box,
    log: quiet,
    notifications,
    stopGraceMs: 100,
    settings: { retryMs, isAllowed: () => true, dnsServers: [], ca: receiver.ca, limitMs, ...more },
  });
  closers.push(notifications.stop, callbacks.stop);
}

test('a finished list is announced once, signed over the very bytes, with the list as it finished', async () => {
  const receiver = await receiving((response) => response.end('thanks'));
  deliver(receiver, [30, 300]);
  const list = await service.submit(['ok@example.com', 'unknown@example.com'], { callbackUrl: receiver.url });
  await until(async () => expect((await findCallback(service.db, list.id))?.state).toBe('delivered'));
  const [callback] = receiver.received;
  expect(JSON.parse(callback!.body.toString())).toMatchObject({
    event: 'list.done',
    list: { id: list.id, status: 'done', total: 2, checked: 2, finished_at: expect.any(Number) },
  });
  expect(callback!.headers['user-agent']).toBe('MXProof-Webhook/1');
  expect(callback!.headers['x-mx-signature']).toBe(
    createHmac('sha256', service.webhookSecret).update(callback!.body).digest('hex'),
  );
  expect(receiver.received).toHaveLength(1);
  expect((await findCallback(service.db, list.id))?.attempts).toMatchObject([{ status: 200, error: null }]);
});

test('after the secret is replaced both sign for a day, a retry of an older callback too', async () => {
  const before = service.webhookSecret;
  let after = '';
  const receiver = await receiving(async (response, _callback, place) => {
    if (place === 0)
      after = (await rotateWebhookSecret(service.db, THE_SERVICE, service.box, service.accountId))!;
    response.writeHead(place === 0 ? 500 : 200).end();
  });
  deliver(receiver, [10, 10]);
  const announced = async () => {
    const { id } = await service.submit(['ok@example.com'], { callbackUrl: receiver.url });
    await until(async () => expect((await findCallback(service.db, id))?.state).toBe('delivered'));
  };
  const expectSigned = (place: number, secrets: readonly string[]) => {
    const { headers, body } = receiver.received[place]!;
    const id = headers['webhook-id'] as string;
    const message = { id, timestampSeconds: Number(headers['webhook-timestamp']), body };
    expect(headers['webhook-signature']).toBe(secrets.map((each) => signStandard(each, message)).join(' '));
    expect(headers['x-mx-signature']).toBe(signBody(secrets[0]!, body));
  };
  await announced();
  expectSigned(0, [before]);
  expectSigned(1, [after, before]);
  await service.db.query(
    `UPDATE mxproof.accounts SET previous_webhook_secret_until = now() - interval '1 second'`,
  );
  await announced();
  expectSigned(2, [after]);
});

test('three attempts with the same bytes, then it is left alone; a resend begins anew', async () => {
  let status = 500;
  const receiver = await receiving((response) => response.writeHead(status).end());
  deliver(receiver, [300, 600]);
  const list = await service.submit(['ok@example.com'], { callbackUrl: receiver.url });
  await until(async () => expect((await findCallback(service.db, list.id))?.state).toBe('failed'));
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect((await service.list(list.id))?.status).toBe('done');
  status = 200;
  expect(await resendCallback(service.context, THE_SERVICE, list.id)).toBe('resent');
  await until(async () => expect((await findCallback(service.db, list.id))?.state).toBe('delivered'));
  const callback = await findCallback(service.db, list.id);
  expect(callback?.attempts.map((attempt) => attempt.status)).toEqual([500, 500, 500, 200]);
  expect(receiver.received[3]!.body).toEqual(receiver.received[0]!.body);
});

test('a second attempt comes after the delay, counted from the first one failing', async () => {
  const receiver = await receiving((response, _, place) => {
    if (place > 0) response.end();
  });
  deliver(receiver, [3_600_000], 500);
  const list = await service.submit(['ok@example.com'], { callbackUrl: receiver.url });
  await until(async () => expect((await findCallback(service.db, list.id))?.attempts).toHaveLength(1));
  const waiting = await findCallback(service.db, list.id);
  expect(waiting).toMatchObject({ state: 'pending', attempts: [{ status: null, error: 'time-out' }] });
  const [row] = await service.db.query<{ seconds: number }>(
    `SELECT extract(epoch FROM next_attempt_at - created_at)::float8 AS seconds FROM mxproof.callbacks`,
  );
  expect(row!.seconds).toBeGreaterThan(3_600.4);
  await service.hurryDelayedJobs();
  await until(async () => expect((await findCallback(service.db, list.id))?.state).toBe('delivered'));
});

test('the callback of a deleted list waits, and goes on when its list is back', async () => {
  const receiver = await receiving((response, _, place) => response.writeHead(place === 0 ? 500 : 200).end());
  deliver(receiver, [3_600_000]);
  const { id } = await service.submit(['ok@example.com'], { callbackUrl: receiver.url });
  await until(async () => expect((await findCallback(service.db, id))?.attempts).toHaveLength(1));
  await deleteWithUndo(service.context, THE_SERVICE, id, service.accountId, 3_600);
  const jobs = () => service.db.query<{ id: number }>(`SELECT id FROM mxproof.jobs WHERE queue = 'callback'`);
  for (let look = 0; look < 2; look++) {
    const [before] = await jobs();
    await service.hurryDelayedJobs();
    // It was claimed, and deferred.
    await until(async () => {
      const now = await jobs();
      expect([now.length, now[0]?.id === before!.id]).toEqual([1, false]);
    });
  }
  expect(receiver.received).toHaveLength(1);
  expect(await resendCallback(service.context, THE_SERVICE, id)).toBe('no_callback');
  await undeleteList(service.context, THE_SERVICE, id, service.accountId);
  await service.hurryDelayedJobs();
  await until(async () => expect((await findCallback(service.db, id))?.state).toBe('delivered'));
  expect((await findCallback(service.db, id))?.attempts.map(({ status }) => status)).toEqual([500, 200]);
  expect(receiver.received).toHaveLength(2);
  expect(await jobs()).toEqual([]);
});

test('an attempt under way when its list is deleted counts when the list is back', async () => {
  let answer = () => {};
  const receiver = await receiving((response) => {
    answer = () => void response.end();
  });
  deliver(receiver, [10]);
  const { id } = await service.submit(['ok@example.com'], { callbackUrl: receiver.url });
  await until(() => receiver.received.length === 1);
  await deleteWithUndo(service.context, THE_SERVICE, id, service.accountId, 3_600);
  answer();
  await until(async () => expect((await findCallback(service.db, id))?.state).toBe('delivered'));
  await undeleteList(service.context, THE_SERVICE, id, service.accountId);
  expect(await findCallback(service.db, id)).toMatchObject({
    state: 'delivered',
    attempts: [{ status: 200 }],
  });
  expect(receiver.received).toHaveLength(1);
});

test("one slow receiver holds up no other receiver's", async () => {
  const slow = await receiving(() => {});
  const quick = await receiving((response) => response.end());
  deliver(quick, [300_000], 60_000);
  const callbackUrl = slow.url;
  const slowLists = await Promise.all(
    Array.from({ length: 30 }, () => service.submit(['ok@example.com'], { callbackUrl })),
  );
  await until(() => expect(slow.received.length).toBe(4));
  const list = await service.submit(['ok@example.com'], { callbackUrl: quick.url });
  await until(async () => expect((await findCallback(service.db, list.id))?.state).toBe('delivered'));
  expect((await findCallback(service.db, slowLists[0]!.id))?.attempts).toHaveLength(0);
  expect(slow.received.length).toBe(4);
});

/** Accepts connections and never responds. */
async function mute(): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

test("an account's slow receivers, however many, delay no other account's callback", async () => {
  const quick = await receiving((response) => response.end());
  deliver(quick, [300_000], 10_000, { atOnce: 10 });
  const { port, sockets } = await mute();
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      service.submit(['ok@example.com'], { callbackUrl: `https://127.0.1.${n + 1}:${port}/` }),
    ),
  );
  await until(() => expect(sockets.size).toBe(10));
  const accountId = await service.open();
  const list = await service.submit(['ok@example.com'], { callbackUrl: quick.url, accountId });
  await until(async () => expect((await findCallback(service.db, list.id))?.state).toBe('delivered'));
  expect(sockets.size).toBe(10);
});

test("an account's attempts that end together leave connections and a turn to other accounts", async () => {
  const quick = await receiving((response) => response.end());
  deliver(quick, [300_000], 60_000);
  const { port, sockets } = await mute();
  const attempts = service.db.poolSize + 4;
  const submit = (host: string, accountId = service.accountId) =>
    service.submit(['ok@example.com'], { callbackUrl: `https://${host}:${port}/`, accountId });
  await Promise.all(Array.from({ length: attempts }, (_, n) => submit(`127.0.1.${n + 1}`)));
  await until(() => expect(sockets.size).toBe(attempts));
  const own = [...sockets];
  await submit('127.0.2.1', await service.open());
  await until(() => expect(sockets.size).toBe(attempts + 1));
  await service.db.transaction(async (tx) => {
    await tx.query('LOCK TABLE mxproof.callbacks IN SHARE ROW EXCLUSIVE MODE');
    for (const socket of own) socket.destroy();
    await until(async () => expect(await lockWaits(service.db)).toBe(4));
    // By the end of it all of them would be recorded.
    await service.db.query('SELECT pg_sleep(1)');
    expect(await lockWaits(service.db)).toBe(4);
    for (const socket of sockets) socket.destroy();
    await until(async () => expect(await lockWaits(service.db)).toBe(5));
  });
});

test('a list deleted before its callback was delivered is announced no more', async () => {
  const receiver = await receiving((response) => response.writeHead(500).end());
  deliver(receiver, [3_600_000]);
  const list = await service.submit(['ok@example.com'], { callbackUrl: receiver.url });
  await until(() => expect(receiver.received).toHaveLength(1));
  await deleteList(service.context, THE_SERVICE, list.id, service.accountId);
  await until(async () => {
    await service.hurryDelayedJobs();
    expect(await service.db.query('SELECT id FROM mxproof.jobs')).toHaveLength(0);
  });
  expect(receiver.received).toHaveLength(1);
});

/** Ports on which nothing listens. */
async function closedPorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

test('of the ports that do not answer an account can try twenty, and its receivers that answer go on', async () => {
  const receiver = await receiving((response) => response.end());
  deliver(receiver, [3_600_000, 3_600_000]);
  const submit = (url: string) => service.submit(['ok@example.com'], { callbackUrl: url });
  const first = await submit(receiver.url);
  await until(async () => expect((await findCallback(service.db, first.id))?.state).toBe('delivered'));

  const urls = (await closedPorts(30)).map((port) => `https://127.0.0.1:${port}/`);
  const lists = await Promise.all(urls.map(submit));
  const errors = async () =>
    (await Promise.all(lists.map(({ id }) => findCallback(service.db, id)))).map(
      (callback) => callback?.attempts[0]?.error,
    );
  await until(async () => {
    await service.hurryDelayedJobs();
    expect(await errors()).not.toContain(undefined);
  });
  const told = Object.groupBy(await errors(), (error) => error!);
  expect(told.ECONNREFUSED).toHaveLength(20);
  expect(told['too many receivers did not answer']).toHaveLength(10);

  const last = await submit(receiver.url);
  await until(async () => expect((await findCallback(service.db, last.id))?.state).toBe('delivered'));
  // An hour later it can try others.
  await service.db.query(`UPDATE mxproof.callback_targets SET silent_at = now() - interval '61 minutes'`);
  const [fresh] = await closedPorts(1);
  const later = await submit(`https://127.0.0.1:${fresh}/`);
  await until(async () =>
    expect((await findCallback(service.db, later.id))?.attempts[0]?.error).toBe('ECONNREFUSED'),
  );
});

test('a port that is not allowed is not tried', async () => {
  const receiver = await receiving((response) => response.end());
  deliver(receiver, [3_600_000, 3_600_000], 10_000, { ports: [{ from: 443, to: 443 }] });
  const list = await service.submit(['ok@example.com'], { callbackUrl: receiver.url });
  await until(async () =>
    expect((await findCallback(service.db, list.id))?.attempts[0]?.error).toBe('port not allowed'),
  );
  expect(receiver.received).toEqual([]);
});
