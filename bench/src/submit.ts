// How fast lists are taken and read: the service and its embedded PostgreSQL in processes of their own, fsync on.
// Promise: every figure stands beside its target, and the machine's own calibration below the table.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Verdict } from '@mxproof/engine';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../cli/bin/project-node.mjs';
import { useEmbedded } from '../../server/src/embedded/use-embedded.ts';
import { openAccount } from '../../server/src/flow/open-account.ts';
import { THE_SERVICE } from '../../server/src/rules/audit.ts';
import { mergeResults } from '../../server/src/rules/chunk-results.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { createSecretBox } from '../../server/src/store/secret-box.ts';
import { openConnection } from './http-connection.ts';
import { type Bench, type BenchRow, repeat, row } from './runner.ts';
import { calibrateStore } from './submit-calibration.ts';

const LIST_ADDRESSES = 100_000;
const PAGE_ROWS = 10_000;
const ACCOUNTS = 32;
const LINES_PER_ACCOUNT = 2;
const LINES_ON_ONE = 32;
const SMALL_LISTS_SECONDS = 4;
const START_LIMIT_MS = 30_000;
const MEGABYTE = 1_000_000;
const SERVICE = fileURLToPath(new URL('./submit-service.ts', import.meta.url));

const SECRET_KEY = 'only for this benchmark';

interface MeasuredService {
  readonly port: number;
  readonly db: Database;
  readonly keys: readonly string[];
  readonly pid: number;
}

export const run: Bench = async ({ runs, log }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mxproof-bench-'));
  const child = spawn(process.execPath, [...NODE_FLAGS, SERVICE], {
    env: {
      ...NODE_ENVIRONMENT,
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      MXPROOF_DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      MXPROOF_SECRET_KEY: SECRET_KEY,
      // The windows work as ever, only wider: a benchmark asks more than a client may.
      MXPROOF_RATE_REQUESTS: '10000000',
      MXPROOF_RATE_ADDRESSES: '1000000000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await readyPort(child);
    const embedded = await useEmbedded(dataDir, { debug() {}, info() {}, warn: log });
    const db = openDatabase({ url: embedded.connectionString, poolSize: 4 });
    try {
      const keys = await openAccounts(db);
      const rows = await measure({ port, db, keys, pid: child.pid! }, runs, log);
      log('submit: PostgreSQL alone');
      return [...rows, ...(await calibrateStore(embedded.connectionString, madeUpEmails(0), runs))];
    } finally {
      await db.close();
      await embedded.release();
    }
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  }
};

async function measure(
  service: MeasuredService,
  runs: number,
  log: (line: string) => void,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  log('submit: lists of 100,000');
  // One before the clock runs: the first large body starts its thread.
  await submitLarge(service, 0);
  const large = await repeat(runs, (n) => submitLarge(service, n + 1));
  rows.push(
    row(
      'POST of 100,000 addresses',
      'ms',
      large.map(({ ms }) => ms),
      { at: 'most', value: 1_000 },
    ),
    row(
      'slowest GET /account during that POST',
      'ms',
      large.map(({ slowestMs }) => slowestMs),
      { at: 'most', value: 100 },
    ),
  );
  log('submit: pages');
  await finishAll(service.db);
  const listId = large.at(-1)!.listId;
  for (const [format, most] of [
    ['json', 60],
    ['csv', 100],
  ] as const)
    for (const offset of [0, 90_000]) {
      const pages = await repeat(runs + 2, () => readPage(service, listId, offset, format));
      rows.push(
        row(`page of 10,000 at ${offset}, ${format}`, 'ms', pages.slice(2), { at: 'most', value: most }),
      );
    }
  log('submit: disk');
  rows.push(
    row(
      'disk of a done list of 100,000',
      'MB',
      [await diskPerList(service.db)],
      { at: 'most', value: 6 },
      'vacuumed, evidence apart',
    ),
    row(
      'memory with lists of 100,000, highest',
      'MB',
      [highestMemory(service.pid)],
      { at: 'most', value: 300 },
      'the service alone, PostgreSQL apart',
    ),
  );
  log('submit: one-address lists');
  const over = await repeat(runs, () => submitSmall(service, service.keys, LINES_PER_ACCOUNT));
  rows.push(row(`one-address lists over ${ACCOUNTS} accounts`, '/s', over, { at: 'least', value: 1_000 }));
  const one = await repeat(runs, () => submitSmall(service, service.keys.slice(0, 1), LINES_ON_ONE));
  rows.push(row('one-address lists on one account', '/s', one, { at: 'least', value: 400 }));
  rows.push(
    row(
      'memory at the end, highest',
      'MB',
      [highestMemory(service.pid)],
      null,
      'thousands of lists per second grow the nursery, not what is kept',
    ),
  );
  return rows;
}

/** Different addresses each time, as lists are: made up, repeated domains, nothing that packs unusually well. */
function madeUpEmails(seed: number): string[] {
  let state = seed * 7919 + 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const names =
    'anna ben carla david elena frank greta hugo ines jonas karin luis marta nils olga paul'.split(' ');
  const domains = Array.from({ length: 2_000 }, (_, n) => `${names[n % 16]}-${next(10_000)}.example`);
  return Array.from(
    { length: LIST_ADDRESSES },
    (_, n) => `${names[next(16)]}.${names[next(16)]}${next(1_000)}.${n.toString(36)}@${domains[next(2_000)]}`,
  );
}

async function submitLarge({ port, keys }: MeasuredService, seed: number) {
  const body = Buffer.from(JSON.stringify({ emails: madeUpEmails(seed) }));
  const [posting, reading] = await Promise.all([
    openConnection(port, keys[0]!),
    openConnection(port, keys[1]!),
  ]);
  await reading.ask('GET', '/v1/account');
  let posted = false;
  const reads = (async () => {
    let slowestMs = 0;
    while (!posted) slowestMs = Math.max(slowestMs, (await reading.ask('GET', '/v1/account')).ms);
    return slowestMs;
  })();
  const { status, ms, body: answer } = await posting.ask('POST', '/v1/lists', body);
  posted = true;
  const slowestMs = await reads;
  posting.close();
  reading.close();
  if (status !== 201) throw new Error(`POST /v1/lists answered ${status}: ${answer}`);
  return { ms, slowestMs, listId: (JSON.parse(answer.toString()) as { id: number }).id };
}

async function readPage(
  { port, keys }: MeasuredService,
  listId: number,
  offset: number,
  format: string,
): Promise<number> {
  const connection = await openConnection(port, keys[0]!);
  const path = `/v1/lists/${listId}/results?offset=${offset}&limit=${PAGE_ROWS}&format=${format}`;
  const { status, body, ms } = await connection.ask('GET', path);
  connection.close();
  const rows = body.toString('latin1').split(format === 'csv' ? '\r\n' : '"email":').length;
  if (status !== 200 || rows < PAGE_ROWS) throw new Error(`a page answered ${status} with ${rows} rows`);
  return ms;
}

/** Lists per second over all connections, each sending its next request as soon as it is answered. */
async function submitSmall(
  { port }: MeasuredService,
  keys: readonly string[],
  connectionsEach: number,
): Promise<number> {
  const connections = await Promise.all(
    keys.flatMap((key) => Array.from({ length: connectionsEach }, () => openConnection(port, key))),
  );
  const startMs = performance.now();
  const endMs = startMs + SMALL_LISTS_SECONDS * 1000;
  let made = 0;
  await Promise.all(
    connections.map(async (connection, n) => {
      for (let turn = 0; performance.now() < endMs; turn++) {
        const body = Buffer.from(`{"emails":["person${turn}@company${n}.example"]}`);
        const { status } = await connection.ask('POST', '/v1/lists', body);
        if (status !== 201) throw new Error(`POST /v1/lists answered ${status}`);
        made++;
      }
    }),
  );
  for (const connection of connections) connection.close();
  return made / ((performance.now() - startMs) / 1000);
}

const VERDICTS: readonly Verdict[] = [
  ['deliverable', 'accepted_email', 'accepted', 95],
  ['risky', 'low_quality', 'role', 40],
  ['undeliverable', 'rejected_email', 'no_such_mailbox', 0],
  ['unknown', 'no_connect', 'timeout', 0],
].map(([state, reason, detail, score]) => ({
  ...({ state, reason, detail, score } as Pick<Verdict, 'state' | 'reason' | 'detail' | 'score'>),
  acceptAll: false,
  role: state === 'risky',
  free: false,
  disposable: false,
  mx: 'mx.mail.example',
  provider: 'other',
}));

/** As checking would leave them: results of every address, counters, status. */
async function finishAll(db: Database): Promise<void> {
  const lists = await db.query<{ id: number }>("SELECT id FROM mxproof.lists WHERE status = 'processing'");
  for (const { id } of lists) {
    const chunks = await db.query<{ n: number; size: number }>(
      'SELECT n, size FROM mxproof.chunks WHERE list_id = $1',
      [id],
    );
    for (const { n, size } of chunks) {
      const found = new Map(
        Array.from({ length: size }, (_, position) => {
          const verdict = VERDICTS[(position * 7 + n) % VERDICTS.length]!;
          return [position, { ...verdict, mx: `mx${(position * 13 + n) % 60}.mail.example` }] as const;
        }),
      );
      const { text } = mergeResults(null, size, found, Math.floor(Date.now() / 1000));
      await db.query('UPDATE mxproof.chunks SET results = $3 WHERE list_id = $1 AND n = $2', [id, n, text]);
    }
    await db.query(
      `UPDATE mxproof.lists SET status = 'done', finished_at = now(), checked = total, deliverable = total WHERE id = $1`,
      [id],
    );
  }
}

async function diskPerList(db: Database): Promise<number> {
  for (const table of ['chunks', 'lists', 'ledger']) await db.query(`VACUUM mxproof.${table}`);
  const [size] = await db.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('mxproof.chunks') + pg_total_relation_size('mxproof.lists') + pg_total_relation_size('mxproof.ledger') AS bytes`,
  );
  const [lists] = await db.query<{ count: number }>('SELECT count(*) AS count FROM mxproof.lists');
  return size!.bytes / lists!.count / MEGABYTE;
}

function highestMemory(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return line ? (Number(line[1]) * 1024) / MEGABYTE : Number.NaN;
}

async function openAccounts(db: Database): Promise<string[]> {
  const box = createSecretBox(SECRET_KEY);
  const keys: string[] = [];
  for (let n = 0; n < ACCOUNTS; n++)
    keys.push(
      (await openAccount(db, THE_SERVICE, box, { name: `bench ${n}`, credits: 1_000_000_000 })).apiKey,
    );
  return keys;
}

/** From the service's own log line; the key of the first account is ignored. */
function readyPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the service did not start')), START_LIMIT_MS);
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const port = /"url":"http:\/\/[^"]*:(\d+)/.exec(line)?.[1];
      if (!port) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
    child.once('exit', () => reject(new Error('the service ended')));
  });
}
