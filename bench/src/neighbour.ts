// One account beside another that takes whatever is shared: what a list of 100 ordinary addresses and POST /verify take
// alone and beside it. Promise: all of the neighbour's load is there at once and still there at the end; every figure is
// the same work in both cases, and a wait that does not end is a figure too, not an error.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { noteTargets } from '../../server/src/store/callback-targets.ts';
import type { DomainSpec, WorldSpec } from '../../world/src/spec.ts';
import { spawnWorld } from '../../world/src/world-process.ts';
import { postToDone, submitAll, verify } from './ask-service.ts';
import { measureAttackers } from './attackers.ts';
import { measureReaders } from './greedy-reader.ts';
import { type Bench, type BenchRow, median, repeat, row } from './runner.ts';
import { type ServiceRig, startServiceRig } from './service-rig.ts';
import { ORDINARY_LIMITS, REPLY_DELAY_MS } from './workload.ts';

const SLOW_LISTS = 6_000;
const SLOW_HOSTS = 300;
const SLOW_REPLY_MS = 3_000;
const TARPIT_LISTS = 1_500;
const UNRESPONSIVE_ZONES = 2_000;
const UNRESPONSIVE_RECEIVERS = 3_000;
/** As many as the service has under way at once. */
const MOST_CALLBACKS = 1_000;
/** A slow machine has fewer under way. */
const CALLBACKS_LIMIT_MS = 60_000;
const STALLED_UPLOADS = 6;
const UPLOAD_BYTES = 64 * 1024 * 1024;
const STALLED_BODY = Buffer.alloc(UPLOAD_BYTES - 1, ' ');
const STALL_AGAIN_MS = 500;

const ORDINARY_ADDRESSES = 100;
const ORDINARY_DOMAINS = 25;
const KNOWN_SHARE = 0.8;
const CHECKS = 20;
const LISTS_ALONE = 3;
/** Over a while: the neighbour's lists end in waves. */
const LISTS_BESIDE = 10;
const BETWEEN_LISTS_MS = 4_000;
const UNDER_WAY_MS = 10_000;
const POLL_MS = 25;

const LIST_FACTOR = 3;
const LIST_MORE_SECONDS = 2;
const VERIFY_MORE_MS = 1_000;

export const run: Bench = async (options) => [
  ...(await measureAsker(options)),
  ...(await measureReaders(options.log)),
  ...(await measureAttackers(options.log)),
];

const measureAsker: Bench = async ({ log }) => {
  const world = await spawnWorld({ spec: createSpec() }, { keepAsks: false });
  const env = { MXPROOF_CALLBACK_RETRY_SECONDS: '1,1' };
  const rig = await startServiceRig(world, { accounts: 2, env });
  const receivers = await startMuteReceivers();
  const uploads: (() => void)[] = [];
  const [modest, greedy] = rig.keys as [string, string];
  let host = 0;
  let run = 0;
  const list = () => postToDone(rig, modest, ordinaryList(run++));
  const check = () => verify(rig, modest, `ann@single${host++}.example`);
  try {
    await list();
    const listAlone = await repeat(LISTS_ALONE, list);
    const checkAlone = await repeat(CHECKS, check);
    log(
      `neighbour: alone a list ${median(listAlone).toFixed(2)} s, a check ${median(checkAlone).toFixed(0)} ms`,
    );

    // First of all: their lists must be done before anything is sent.
    await makeKnown(rig, receivers.port);
    await submitAll(rig, greedy, callbackLists(receivers.port));
    const waitUntilMs = performance.now() + CALLBACKS_LIMIT_MS;
    while (receivers.open() < MOST_CALLBACKS && performance.now() < waitUntilMs)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    await submitAll(rig, greedy, slowLists());
    for (let n = 0; n < STALLED_UPLOADS; n++) uploads.push(stall(rig.port, greedy));
    await new Promise((resolve) => setTimeout(resolve, UNDER_WAY_MS));
    const before = await standing(rig);
    log(`neighbour: under way, ${before}, ${receivers.open()} callbacks`);

    const checkBeside = await repeat(CHECKS / 2, check);
    const listBeside = await repeat(LISTS_BESIDE, async () => {
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LISTS_MS));
      return list();
    });
    checkBeside.push(...(await repeat(CHECKS / 2, check)));
    const after = `${await standing(rig)}, ${receivers.open()} callbacks`;
    log(`neighbour: beside a list ${listBeside.map((s) => s.toFixed(2))} s, at the end ${after}`);
    return rows({ listAlone, listBeside, checkAlone, checkBeside }, `${before}; at the end ${after}`);
  } finally {
    for (const end of uploads) end();
    receivers.close();
    await rig.stop();
    await world.close();
  }
};

function rows(
  measured: Record<'listAlone' | 'listBeside' | 'checkAlone' | 'checkBeside', readonly number[]>,
  note: string,
): BenchRow[] {
  const { listAlone, listBeside, checkAlone, checkBeside } = measured;
  const mayTake = LIST_FACTOR * median(listAlone) + LIST_MORE_SECONDS;
  const more = checkBeside.map((ms) => ms - median(checkAlone)).toSorted((a, b) => a - b);
  const most = (value: number) => ({ at: 'most', value }) as const;
  return [
    row('a list of 100, alone', 's', listAlone),
    row(
      'a list of 100 beside a greedy account, longest',
      's',
      [Math.max(...listBeside)],
      most(mayTake),
      note,
    ),
    row('POST /verify, alone', 'ms', checkAlone),
    row('POST /verify beside a greedy account: more than alone, median', 'ms', [median(more)]),
    row(
      'POST /verify beside a greedy account: more than alone, longest',
      'ms',
      [more.at(-1)!],
      most(VERIFY_MORE_MS),
    ),
  ];
}

/** Hosts are asked by one list or check only, so that nothing is known of them yet. */
function createSpec(): WorldSpec {
  const domains: Record<string, DomainSpec> = {};
  const add = (name: string, count: number, domain: DomainSpec) => {
    for (let n = 0; n < count; n++) domains[`${name}${n}.example`] = domain;
  };
  const host = { replyDelayMs: REPLY_DELAY_MS, limits: ORDINARY_LIMITS };
  for (let n = 0; n <= LISTS_ALONE + LISTS_BESIDE; n++)
    add(`ordinary${n}-`, ORDINARY_DOMAINS, { host, mailboxes: { share: KNOWN_SHARE } });
  add('single', 2 * CHECKS, { host, mailboxes: { known: ['ann'] } });
  add('slow', SLOW_HOSTS, { host: { replyDelayMs: SLOW_REPLY_MS }, mailboxes: { share: 1 } });
  add('tarpit', TARPIT_LISTS, { host: { at: { banner: { next: 'silent' } } } });
  add('unresponsive', UNRESPONSIVE_ZONES, { dns: 'timeout' });
  domains['quick.example'] = { host: {}, mailboxes: { share: 1 } };
  return { domains, dns: { latencyMs: REPLY_DELAY_MS } };
}

function ordinaryList(run: number): string[] {
  return Array.from(
    { length: ORDINARY_ADDRESSES },
    (_, n) => `p${n}@ordinary${run}-${n % ORDINARY_DOMAINS}.example`,
  );
}

const receiverIp = (n: number) => `127.30.${Math.floor(n / 250)}.${(n % 250) + 1}`;

/** As receivers that have answered before: of others an account can try few. */
async function makeKnown({ db }: ServiceRig, port: number): Promise<void> {
  const targets = Array.from({ length: UNRESPONSIVE_RECEIVERS }, (_, n) => `${receiverIp(n)} ${port}`);
  for (const { id } of await db.query<{ id: number }>('SELECT id FROM mxproof.accounts'))
    await noteTargets(db, id, targets, true);
}

function callbackLists(receiverPort: number): object[] {
  return Array.from({ length: UNRESPONSIVE_RECEIVERS }, (_, n) => ({
    emails: [`p${n}@quick.example`],
    callback_url: `https://${receiverIp(n)}:${receiverPort}/`,
  }));
}

/** Mixed: none of the load waits for the rest of it to be submitted. */
function slowLists(): object[] {
  const bodies: object[] = [
    { emails: Array.from({ length: UNRESPONSIVE_ZONES }, (_, n) => `ann@unresponsive${n}.example`) },
  ];
  for (let n = 0; n < SLOW_LISTS; n++) {
    bodies.push({ emails: [`p${n}@slow${n % SLOW_HOSTS}.example`] });
    if (n < TARPIT_LISTS) bodies.push({ emails: [`ann@tarpit${n}.example`] });
  }
  return bodies;
}

/** Sends all but the last byte; when it is cut, begins again. Returns how to end it. */
function stall(port: number, key: string): () => void {
  let isOver = false;
  let socket: Socket;
  const begin = () => {
    if (isOver) return;
    socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).on('close', () => setTimeout(begin, STALL_AGAIN_MS));
    socket.write(`POST /v1/lists HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`);
    socket.write(`Content-Length: ${UPLOAD_BYTES}\r\n\r\n`);
    socket.write(STALLED_BODY);
  };
  begin();
  return () => {
    isOver = true;
    socket.destroy();
  };
}

async function startMuteReceivers(): Promise<{ port: number; open(): number; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => sockets.delete(socket))
      .resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** What of the neighbour's is still to be done. */
async function standing(rig: ServiceRig): Promise<string> {
  const [now] = await rig.db.query<{ lists: number; waiting: number; held: number }>(
    `SELECT (SELECT count(*) FROM mxproof.lists WHERE finished_at IS NULL) AS lists,
       count(*) FILTER (WHERE NOT is_claimed) AS waiting, count(*) FILTER (WHERE is_claimed) AS held
     FROM mxproof.jobs`,
  );
  const { lists, waiting, held } = now!;
  return `${lists} lists unfinished, ${waiting} jobs waiting, ${held} held, ${rig.memoryMegabytes().toFixed(0)} MB`;
}
