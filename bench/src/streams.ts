// Lists with and without readers of their events: what a hundred open streams cost the lists they follow.
// Promise: the same lists in turns, with every stream open until its list is done and its last event read.
import { connect, type Socket } from 'node:net';
import { spawnWorld } from '../../world/src/world-process.ts';
import { type HttpLine, openLine } from './http-line.ts';
import { type Bench, type BenchRow, row } from './runner.ts';
import { type ServiceRig, startServiceRig } from './service-rig.ts';
import { createWorkload, ORDINARY_LIMITS } from './workload.ts';

const ADDRESSES = 20_000;
const DOMAINS = 200;
const LISTS = 10;
/** As many as a key may have open. */
const STREAMS_PER_LIST = 10;
const POLL_MS = 100;
/** What no reader of the table would take for a difference. */
const MOST_RATIO = 1.05;

interface Measured {
  readonly seconds: number;
  readonly cpuMicrosecondsEach: number;
}

export const run: Bench = async ({ runs, log }) => {
  const workload = createWorkload({ addresses: ADDRESSES, domains: DOMAINS, limits: ORDINARY_LIMITS });
  const world = await spawnWorld({ spec: workload.spec }, { keepAsks: false });
  const rig = await startServiceRig(world, { accounts: LISTS });
  try {
    const without: Measured[] = [];
    const beside: Measured[] = [];
    const measure = async (into: Measured[], streams: number) =>
      into.push(await checkAll(rig, workload.emails, streams));
    // The first meets every domain for the first time. In turns, now this one first and now the other: a machine that
    // becomes slower or faster meanwhile favours neither.
    await checkAll(rig, workload.emails, 0);
    for (let n = 0; n < runs; n++) {
      const turns = [() => measure(without, 0), () => measure(beside, STREAMS_PER_LIST)];
      for (const turn of n % 2 === 0 ? turns : turns.reverse()) await turn();
      const [alone, followed] = [without.at(-1)!, beside.at(-1)!];
      log(`streams: none ${alone.seconds.toFixed(2)} s, 100 ${followed.seconds.toFixed(2)} s`);
    }
    return rows(without, beside);
  } finally {
    await rig.stop();
    await world.close();
  }
};

function rows(without: readonly Measured[], beside: readonly Measured[]): BenchRow[] {
  const name = `${LISTS * STREAMS_PER_LIST} open event streams`;
  const most = { at: 'most', value: MOST_RATIO } as const;
  const ratios = (of: (one: Measured) => number) => beside.map((one, n) => of(one) / of(without[n]!));
  const note = `20,000 addresses in ${LISTS} lists, each followed by ${STREAMS_PER_LIST}`;
  return [
    row(
      '20,000 addresses, no event stream',
      's',
      without.map(({ seconds }) => seconds),
    ),
    row(
      `20,000 addresses, ${name}`,
      's',
      beside.map(({ seconds }) => seconds),
      null,
      note,
    ),
    row(
      `${name}: time against none`,
      '×',
      ratios(({ seconds }) => seconds),
      most,
    ),
    row(
      `${name}: CPU against none`,
      '×',
      ratios((one) => one.cpuMicrosecondsEach),
      null,
      'opening them included',
    ),
  ];
}

/** From the first POST until the last list is done. */
async function checkAll(rig: ServiceRig, emails: readonly string[], streams: number): Promise<Measured> {
  const lines = await Promise.all(rig.keys.map((key) => openLine(rig.port, key)));
  const cpu = rig.cpuSeconds();
  const startMs = performance.now();
  const size = emails.length / LISTS;
  const followed = await Promise.all(
    lines.map(async (line, n) => {
      const id = await submit(line, emails.slice(n * size, (n + 1) * size));
      const open = Array.from({ length: streams }, () => follow(rig.port, rig.keys[n]!, id));
      await untilDone(line, id);
      return open;
    }),
  );
  const seconds = (performance.now() - startMs) / 1000;
  const cpuMicrosecondsEach = ((rig.cpuSeconds() - cpu) * 1e6) / emails.length;
  for (const text of await Promise.all(followed.flat()))
    if (!text.includes('event: done'))
      throw new Error(`a stream ended without its list: ${text.slice(-300)}`);
  for (const line of lines) line.close();
  return { seconds, cpuMicrosecondsEach };
}

async function submit(line: HttpLine, emails: readonly string[]): Promise<number> {
  const { status, body } = await line.ask('POST', '/v1/lists', Buffer.from(JSON.stringify({ emails })));
  if (status !== 201) throw new Error(`POST /v1/lists answered ${status}`);
  return (JSON.parse(body.toString()) as { id: number }).id;
}

async function untilDone(line: HttpLine, id: number): Promise<void> {
  for (;;) {
    const { body } = await line.ask('GET', `/v1/lists/${id}`);
    if ((JSON.parse(body.toString()) as { status: string }).status === 'done') return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Everything the stream says, when the service has ended it. */
function follow(port: number, key: string, id: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.setEncoding('utf8').on('data', (more) => {
      text += more;
    });
    socket.on('error', reject).on('close', () => resolve(text));
    socket.write(
      `GET /v1/lists/${id}/events HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
  });
}
