// What 500 slow connections from one address hold at each route that needs no key, and what a customer waits meanwhile;
// then the same of one account's event streams. Promise: every connection is open at once and reads nothing; the customer
// opens a connection for each request, so that a service that takes none is seen; a request without an answer is counted.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { spawnWorld } from '../../world/src/world-process.ts';
import { openConnection } from './http-connection.ts';
import { type Bench, type BenchRow, median, row } from './runner.ts';
import { type ServiceRig, startServiceRig } from './service-rig.ts';

const STRANGERS = 500;
/** The customer's is another one. */
const STRANGERS_ADDRESS = '127.0.0.2';
const ALONE_MS = 1_000;
const BESIDE_MS = 3_000;
/** The service's garbage collector has so long to return what they held. */
const AFTER_MS = 1_000;
const BETWEEN_REQUESTS_MS = 10;
const KEYS = 50;
const STREAMS_PER_KEY = STRANGERS / KEYS;
const MEGABYTE = 1_000_000;
/** 200 KB for each connection. */
const MOST_MEGABYTES = 100;
const LEFT_MEGABYTES = 50;
const MOST_WAIT_MS = 1_000;
const BUILD_LIMIT_SECONDS = 120;
const HEAD_BYTES = 15_000;
const BODY_BYTES = 60_000;
const SMALL_BODY_BYTES = 4_000;
const KEY_CHARACTERS = 43;
/** As much as the service takes from a socket at once. */
const PIPELINE_BYTES = 64 * 1024;

/** What the n-th connection sends. */
type Sends = (n: number) => string;

interface Attack {
  readonly name: string;
  prepare(rig: ServiceRig): Promise<Sends> | Sends;
}

export const run: Bench = async ({ log }) => {
  const silent = { host: { at: { banner: { next: 'silent' } } } } as const;
  const world = await spawnWorld({ spec: { domains: { 'silent.example': silent } } }, { keepAsks: false });
  let rig: ServiceRig | null = null;
  try {
    const rows: BenchRow[] = [];
    for (const attack of ATTACKS) {
      rig ??= await startServiceRig(world, { accounts: 2 });
      const measured = await measure(rig, attack, log);
      rows.push(...measured.rows);
      if (measured.leftMegabytes < LEFT_MEGABYTES) continue;
      // What one attack has left is not measured with the next.
      await rig.stop();
      rig = null;
    }
    return rows;
  } finally {
    await rig?.stop();
    await world.close();
  }
};

const get = (path: string, ...headers: string[]) => requestOf(`GET ${path}`, headers);
const always = (name: string, bytes: string): Attack => ({ name, prepare: () => () => bytes });
const asset = (name: string, requestFor: (path: string) => string): Attack => ({
  name,
  async prepare(rig) {
    const path = name.includes('/docs')
      ? await nameIn(rig, '/docs', /src="(\/docs\/[^"]+)"/)
      : await nameIn(rig, '/', /src="(\/assets\/[^"]+)"/);
    return () => requestFor(path);
  },
});

const ATTACKS: readonly Attack[] = [
  always('silent', ''),
  always('half a head', get('/', `X-Long: ${'x'.repeat(HEAD_BYTES)}`).slice(0, -2)),
  always('not HTTP', '\x16\x03\x01hello\r\n\r\n'),
  always('GET /healthz', get('/healthz')),
  always('GET /readyz', get('/readyz')),
  always('GET /docs', get('/docs')),
  asset('GET /docs/….js', (path) => get(path)),
  asset('GET /docs/….js, gzip', (path) => get(path, 'Accept-Encoding: gzip')),
  asset('HEAD /docs/….js', (path) => requestOf(`HEAD ${path}`, [])),
  always('GET /v1/openapi.json', get('/v1/openapi.json')),
  always('GET /llms.txt', get('/llms.txt')),
  always('GET /postmaster', get('/postmaster')),
  always('GET /', get('/')),
  asset('GET /assets/….js', (path) => get(path)),
  asset('GET /assets/….js, br', (path) => get(path, 'Accept-Encoding: br')),
  always('GET /favicon.ico', get('/favicon.ico')),
  always('GET /nowhere', get('/nowhere')),
  always('OPTIONS *', requestOf('OPTIONS *', [])),
  always('GET /sign-in/…', get('/sign-in/unknown')),
  always('POST /session, half a body', half('/session', SMALL_BODY_BYTES)),
  always('GET /v1/account, no key', get('/v1/account')),
  {
    name: 'GET /v1/account, unknown key',
    prepare: () => (n) =>
      get('/v1/account', `Authorization: Bearer mx_live_${String(n).padStart(KEY_CHARACTERS, 'A')}`),
  },
  always('POST /v1/lists, no key, half a body', half('/v1/lists', BODY_BYTES)),
  always('POST /nowhere, half a body', half('/nowhere', BODY_BYTES)),
  always('pipelined GET /', pipelined(get('/'))),
  asset('pipelined GET /docs/….js', (path) => pipelined(get(path))),
  always('pipelined GET /v1/openapi.json', pipelined(get('/v1/openapi.json'))),
  { name: "one account's event streams", prepare: eventStreams },
];

/** Of one account, with many keys, as many streams as each key may have. */
async function eventStreams(rig: ServiceRig): Promise<Sends> {
  const key = rig.keys[1]!;
  const ask = async (path: string, body: object) => {
    const connection = await openConnection(rig.port, key);
    const answer = await connection.ask('POST', path, Buffer.from(JSON.stringify(body)));
    connection.close();
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}`);
    return JSON.parse(answer.body.toString()) as { id: number; api_key: string };
  };
  const { id } = await ask('/v1/lists', { emails: ['ann@silent.example'] });
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n++) keys.push((await ask('/v1/keys', { label: `stream ${n}` })).api_key);
  return (n) => {
    const authorization = `Authorization: Bearer ${keys[Math.floor(n / STREAMS_PER_KEY)]!}`;
    return get(`/v1/lists/${id}/events`, authorization);
  };
}

async function measure(
  rig: ServiceRig,
  attack: Attack,
  log: (line: string) => void,
): Promise<{ readonly rows: readonly BenchRow[]; readonly leftMegabytes: number }> {
  const sends = await attack.prepare(rig);
  const alone = await customer(rig, ALONE_MS);
  const beforeMegabytes = residentMegabytes(rig);
  const sockets = Array.from({ length: STRANGERS }, (_, n) => hold(rig.port, sends(n)));
  const beside = await customer(rig, BESIDE_MS);
  for (const socket of sockets) socket.destroy();
  await wait(AFTER_MS);
  const afterMegabytes = residentMegabytes(rig);
  const memory = `${beforeMegabytes.toFixed(0)} → ${beside.megabytes.toFixed(0)} → ${afterMegabytes.toFixed(0)} MB`;
  const waits = (one: CustomerWaits) =>
    `${median(one.ms).toFixed(1)} (longest ${Math.max(...one.ms).toFixed(0)}) ms`;
  const unanswered = beside.unanswered === 0 ? '' : `, ${beside.unanswered} unanswered`;
  const note = `${memory}; customer ${waits(alone)} → ${waits(beside)}${unanswered}`;
  log(`strangers: ${attack.name}: ${note}`);
  const name = `${STRANGERS} × ${attack.name}`;
  const most = (value: number) => ({ at: 'most', value }) as const;
  const moreMegabytes = Math.max(0, beside.megabytes - beforeMegabytes);
  return {
    rows: [
      row(`${name}: memory`, 'MB more', [moreMegabytes], most(MOST_MEGABYTES), note),
      row(`${name}: customer, longest`, 'ms', [Math.max(...beside.ms)], most(MOST_WAIT_MS)),
    ],
    leftMegabytes: afterMegabytes - beforeMegabytes,
  };
}

interface CustomerWaits {
  readonly ms: readonly number[];
  readonly unanswered: number;
  /** The highest meanwhile. */
  readonly megabytes: number;
}

async function customer(rig: ServiceRig, forMs: number): Promise<CustomerWaits> {
  const ms: number[] = [];
  let unanswered = 0;
  let megabytes = 0;
  const startMs = performance.now();
  while (performance.now() - startMs < forMs) {
    const askedMs = performance.now();
    try {
      const connection = await openConnection(rig.port, rig.keys[0]!);
      const { status } = await connection.ask('GET', '/v1/account');
      connection.close();
      if (status !== 200) unanswered += 1;
    } catch {
      unanswered += 1;
    }
    ms.push(performance.now() - askedMs);
    megabytes = Math.max(megabytes, residentMegabytes(rig));
    await wait(BETWEEN_REQUESTS_MS);
  }
  return { ms, unanswered, megabytes };
}

function hold(port: number, bytes: string): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress: STRANGERS_ADDRESS });
  socket.on('error', () => {}).pause();
  if (bytes !== '') socket.write(bytes, 'latin1');
  return socket;
}

function requestOf(line: string, headers: readonly string[]): string {
  return `${[`${line} HTTP/1.1`, 'Host: bench', ...headers].join('\r\n')}\r\n\r\n`;
}

function half(path: string, bytes: number): string {
  return requestOf(`POST ${path}`, [`Content-Length: ${bytes}`]) + ' '.repeat(bytes / 2);
}

function pipelined(request: string): string {
  return request.repeat(Math.floor(PIPELINE_BYTES / request.length));
}

async function nameIn(rig: ServiceRig, path: string, pattern: RegExp): Promise<string> {
  // The page of a checkout is built while the service starts.
  for (let waited = 0; waited < BUILD_LIMIT_SECONDS; waited++) {
    const connection = await openConnection(rig.port, rig.keys[0]!);
    const { body } = await connection.ask('GET', path);
    connection.close();
    const found = pattern.exec(body.toString())?.[1];
    if (found !== undefined) return found;
    await wait(1_000);
  }
  throw new Error(`${path} names nothing like ${pattern}`);
}

function residentMegabytes({ pid }: ServiceRig): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / MEGABYTE;
}
