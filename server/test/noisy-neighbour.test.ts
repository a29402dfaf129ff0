// One account takes all that is shared in the service, at once: claims, callback attempts, body bytes. Another one's list,
// single check, large body and callback go on as if it were alone. The real service in its own process, on a real
// PostgreSQL, against the simulated internet. The same at full scale, with figures: `npm run bench -- neighbour`.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenedAccount } from '../src/flow/open-account.ts';
import { resendCallback } from '../src/flow/resend-callback.ts';
import { submitList } from '../src/flow/submit-list.ts';
import { THE_SERVICE } from '../src/rules/audit.ts';
import { noteTargets } from '../src/store/callback-targets.ts';
import { findCallback } from '../src/store/callbacks.ts';
import { type Rig, startRig } from './rig.ts';
import { submission } from './submission.ts';
import { until } from './until.ts';

/** The service's own limits: claims of a node, attempts at callbacks, bytes of bodies. */
const CLAIMS = 2_000;
const ATTEMPTS = 1_000;
/** An attempt lasts ten seconds, the pause after it one, or two where the machine is slow: so many fill every place. */
const CALLBACKS = ATTEMPTS * 1.5;
const BODY_BYTES = 256 * 1024 * 1024;

const UPLOAD_BYTES = 64 * 1024 * 1024;
const LONG_ENOUGH_MS = 120_000;

let rig: Rig;
let greedy: OpenedAccount;
let base: string;
const sockets = new Set<Socket>();
const receivers = createServer((socket) => void keep(socket));

function keep(socket: Socket): Socket {
  sockets.add(socket);
  return socket
    .on('error', () => {})
    .on('close', () => sockets.delete(socket))
    .resume();
}

beforeAll(async () => {
  const domains = {
    'good.com': { host: {}, mailboxes: { share: 1 } },
    'tarpit.com': { host: { at: { banner: { next: 'silent' } } } },
  } as const;
  rig = await startRig({ domains }, 1);
  greedy = await rig.open();
  await new Promise<void>((resolve) => receivers.listen(0, '0.0.0.0', resolve));
  const node = await rig.node(['serve'], {
    PORT: '0',
    MXPROOF_DNS_SENTINELS: 'none',
    MXPROOF_CALLBACK_RETRY_SECONDS: '1,1',
  });
  base = /"url":"([^"]+)"/.exec(await node.line(/"url"/))![1]!;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  receivers.close();
  await rig.close();
});

function submit(account: OpenedAccount, emails: readonly string[], callbackUrl: string | null = null) {
  return submitList(rig.context, submission(account.accountId, emails, { callbackUrl }));
}

async function call(account: OpenedAccount, method: string, path: string, body?: string | Buffer) {
  const answered = await fetch(`${base}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${account.apiKey}` },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answered.status, json: (await answered.json()) as Record<string, unknown> };
}

/** Everything but its last byte; resolves when that is sent. */
function stallUpload(): Promise<{ answered(): string }> {
  const socket = keep(connect(Number(new URL(base).port), '127.0.0.1'));
  let text = '';
  socket.on('data', (piece) => {
    text += piece.toString();
  });
  socket.write(`POST /v1/lists HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${greedy.apiKey}\r\n`);
  socket.write(`Content-Length: ${UPLOAD_BYTES}\r\n\r\n`);
  return new Promise((resolve) => {
    socket.write(Buffer.alloc(UPLOAD_BYTES - 1, ' '), () => resolve({ answered: () => text }));
  });
}

const count = async (where: string) =>
  (await rig.context.db.query<{ count: number }>(`SELECT count(*) FROM ${where}`))[0]!.count;
const failed = async () =>
  (
    await rig.context.db.query<{ list_id: number }>(
      `SELECT list_id FROM mxproof.callbacks WHERE state = 'failed'`,
    )
  ).map(({ list_id }) => list_id);
const held = () => count(`mxproof.jobs WHERE queue = 'chunk' AND is_claimed`);
const openLists = () => count(`mxproof.lists WHERE account_id = ${greedy.accountId} AND finished_at IS NULL`);

/** Every place; on a machine that cannot begin so many in the ten seconds that each lasts, as many as it can. */
async function fillCallbackPlaces(): Promise<void> {
  const deadlineMs = performance.now() + LONG_ENOUGH_MS;
  while (sockets.size < ATTEMPTS && performance.now() < deadlineMs) {
    // The first have failed for good before the last begin.
    await Promise.all((await failed()).map((id) => resendCallback(rig.context, THE_SERVICE, id)));
    await sleep(200);
  }
  expect(sockets.size).toBeGreaterThan(ATTEMPTS / 10);
}

test('beside a neighbour that takes everything an account is served as if it were alone', async () => {
  const { port } = receivers.address() as AddressInfo;
  const ip = (n: number) => `127.31.${Math.floor(n / 250)}.${(n % 250) + 1}`;
  const receiver = (n: number) => `https://${ip(n)}:${port}/`;
  // They have answered before: of others it could try twenty.
  const targets = Array.from({ length: CALLBACKS }, (_, n) => `${ip(n)} ${port}`);
  await noteTargets(rig.context.db, greedy.accountId, targets, true);
  const mute = Array.from({ length: CALLBACKS }, (_, n) => submit(greedy, [`p${n}@good.com`], receiver(n)));
  await Promise.all(mute);
  await until(async () => expect(await openLists()).toBe(0), LONG_ENOUGH_MS);
  await fillCallbackPlaces();
  await Promise.all(Array.from({ length: CLAIMS + 500 }, (_, n) => submit(greedy, [`p${n}@tarpit.com`])));
  await until(async () => expect(await held()).toBeGreaterThanOrEqual(CLAIMS), LONG_ENOUGH_MS);
  const uploads = await Promise.all(Array.from({ length: BODY_BYTES / UPLOAD_BYTES }, stallUpload));
  // Read to its end in spite of the stalled ones: what is wrong with it is known.
  const large = Buffer.alloc(UPLOAD_BYTES / 2, ' ');
  expect((await call(rig.account, 'POST', '/lists', large)).json).toEqual({ error: 'invalid JSON' });
  expect(uploads.filter(({ answered }) => answered().startsWith('HTTP/1.1 503'))).toHaveLength(1);

  const emails = Array.from({ length: 100 }, (_, n) => `p${n}@good.com`);
  const body = JSON.stringify({ emails, callback_url: rig.callbackUrl });
  const list = await call(rig.account, 'POST', '/lists', body);
  expect(list.status).toBe(201);
  expect(await call(rig.account, 'POST', '/verify', '{"email":"p1@good.com"}')).toMatchObject({
    status: 200,
    json: { state: 'deliverable' },
  });
  const id = Number(list.json.id);
  await until(async () =>
    expect((await call(rig.account, 'GET', `/lists/${id}`)).json).toMatchObject({ status: 'done' }),
  );
  await until(async () => expect((await findCallback(rig.context.db, id))?.state).toBe('delivered'));
  // Its own single check, too, and none of its lists was done meanwhile.
  expect((await call(greedy, 'POST', '/verify', '{"email":"p1@good.com"}')).status).toBe(200);
  expect(await openLists()).toBe(CLAIMS + 500);
}, 600_000);
