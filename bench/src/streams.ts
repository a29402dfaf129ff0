// A list with and without a hundred open event streams: ten follow it, ninety follow lists of other accounts that are
// checked at the same time. Promise: the same work alternately with and without the streams, and nothing else changed.
import { connect, type Socket } from 'node:net';
import type { DomainSpec } from '../../world/src/spec.ts';
import { spawnWorld } from '../../world/src/world-process.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';
import { type Bench, type BenchRow, row } from './runner.ts';
import { type ServiceRig, startServiceRig } from './service-rig.ts';
import { createWorkload, ORDINARY_LIMITS } from './workload.ts';

const ADDRESSES = 20_000;
const DOMAINS = 200;
const OTHERS = 9;
/** As many as a key may have open. */
const STREAMS_PER_LIST = 10;
const STREAMS = (OTHERS + 1) * STREAMS_PER_LIST;
/** At hosts that take a few addresses a second: these lists go on for as long as is measured. */
const SLOW_ADDRESSES = 5_000;
const SLOW_HOST: DomainSpec = {
  host: {
    replyDelayMs: 500,
    limits: { connectionsPerHost: 1, connectionsPerSource: 1, recipientsPerTransaction: 5 },
  },
  mailboxes: { share: 1 },
};
const POLL_MS = 50;
/** What no reader of the table would take for a difference. */
const MOST_RATIO = 1.05;

interface Measurement {
  readonly seconds: number;
  readonly cpuMicrosecondsEach: number;
}

export const run: Bench = async ({ runs, log }) => {
  const workload = createWorkload({ addresses: ADDRESSES, domains: DOMAINS, limits: ORDINARY_LIMITS });
  const slow = Object.fromEntries(Array.from({ length: OTHERS }, (_, n) => [`slow${n}.example`, SLOW_HOST]));
  const spec = { ...workload.spec, domains: { ...workload.spec.domains, ...slow } };
  const world = await spawnWorld({ spec }, { keepAsks: false });
  const rig = await startServiceRig(world, { accounts: OTHERS + 1 });
  try {
    const others = await Promise.all(rig.keys.slice(1).map((key, n) => submitSlow(rig, key, n)));
    const without: Measurement[] = [];
    const beside: Measurement[] = [];
    const alone = async () => without.push(await check(rig, workload.emails, false));
    const followed = async () => {
      const readers = others.flatMap(({ key, id }) => followMany(rig.port, key, id));
      await Promise.all(readers.map(({ isOpen }) => isOpen));
      beside.push(await check(rig, workload.emails, true));
      if (readers.some(({ isOver }) => isOver())) throw new Error('a stream did not last');
      for (const { close } of readers) close();
    };
    // The first meets every domain for the first time.
    await check(rig, workload.emails, false);
    for (let n = 0; n < runs; n++) {
      // Each goes first in turn, so that a machine that slows down favours neither.
      for (const turn of n % 2 === 0 ? [alone, followed] : [followed, alone]) await turn();
      const [one, other] = [without.at(-1)!.seconds, beside.at(-1)!.seconds];
      log(`streams: none ${one.toFixed(2)} s, ${STREAMS} ${other.toFixed(2)} s`);
    }
    return rows(without, beside);
  } finally {
    await rig.stop();
    await world.close();
  }
};

function rows(without: readonly Measurement[], beside: readonly Measurement[]): BenchRow[] {
  const name = `${STREAMS} open event streams`;
  const ratios = (of: (one: Measurement) => number) => beside.map((one, n) => of(one) / of(without[n]!));
  const seconds = (one: Measurement) => one.seconds;
  const note = '10 follow this list, 90 other lists that go on';
  return [
    row('list of 20,000, no event stream', 's', without.map(seconds)),
    row(`list of 20,000, ${name}`, 's', beside.map(seconds), null, note),
    row(`${name}: time against none`, '×', ratios(seconds), { at: 'most', value: MOST_RATIO }),
    row(
      `${name}: CPU against none`,
      '×',
      ratios((one) => one.cpuMicrosecondsEach),
    ),
  ];
}

/** From the first byte of the list until it is done. */
async function check(rig: ServiceRig, emails: readonly string[], isFollowed: boolean): Promise<Measurement> {
  const key = rig.keys[0]!;
  const connection = await openConnection(rig.port, key);
  const cpu = rig.cpuSeconds();
  const startMs = performance.now();
  const id = await submit(connection, emails);
  const readers = isFollowed ? followMany(rig.port, key, id) : [];
  await untilDone(connection, id);
  const seconds = (performance.now() - startMs) / 1000;
  const cpuMicrosecondsEach = ((rig.cpuSeconds() - cpu) * 1e6) / emails.length;
  for (const text of await Promise.all(readers.map(({ text }) => text)))
    if (!text.includes('event: done'))
      throw new Error(`a stream ended without its list: ${text.slice(-300)}`);
  connection.close();
  return { seconds, cpuMicrosecondsEach };
}

async function submitSlow(rig: ServiceRig, key: string, n: number): Promise<{ key: string; id: number }> {
  const connection = await openConnection(rig.port, key);
  const id = await submit(
    connection,
    Array.from({ length: SLOW_ADDRESSES }, (_, place) => `p${place}@slow${n}.example`),
  );
  connection.close();
  return { key, id };
}

async function submit(connection: HttpConnection, emails: readonly string[]): Promise<number> {
  const { status, body } = await connection.ask('POST', '/v1/lists', Buffer.from(JSON.stringify({ emails })));
  if (status !== 201) throw new Error(`POST /v1/lists answered ${status}`);
  return (JSON.parse(body.toString()) as { id: number }).id;
}

async function untilDone(connection: HttpConnection, id: number): Promise<void> {
  for (;;) {
    const { body } = await connection.ask('GET', `/v1/lists/${id}`);
    if ((JSON.parse(body.toString()) as { status: string }).status === 'done') return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

interface StreamReader {
  /** Resolves with the first bytes. */
  readonly isOpen: Promise<void>;
  isOver(): boolean;
  /** All of it, when the service has ended it. */
  readonly text: Promise<string>;
  close(): void;
}

function followMany(port: number, key: string, id: number): StreamReader[] {
  return Array.from({ length: STREAMS_PER_LIST }, () => follow(port, key, id));
}

function follow(port: number, key: string, id: number): StreamReader {
  let text = '';
  let isOver = false;
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true });
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  const { promise: whole, resolve: end } = Promise.withResolvers<string>();
  socket.setEncoding('utf8').on('data', (more) => {
    text += more;
    open();
  });
  socket
    .on('error', () => {})
    .on('close', () => {
      isOver = true;
      open();
      end(text);
    });
  socket.write(`GET /v1/lists/${id}/events HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  return { isOpen, text: whole, isOver: () => isOver, close: () => socket.destroy() };
}
