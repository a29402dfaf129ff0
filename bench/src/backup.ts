// A million results backed up and restored by the commands, on embedded stores. Promise: what is restored is compared with
// what was backed up byte for byte, table by table, or the benchmark fails.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { useEmbedded } from '../../server/src/embedded/use-embedded.ts';
import { readFrames, readJson } from '../../server/src/features/backup/backup-file.ts';
import { openAccount } from '../../server/src/flow/open-account.ts';
import { THE_SERVICE } from '../../server/src/rules/audit.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/migrate.ts';
import { createSecretBox } from '../../server/src/store/secret-box.ts';
import { type Bench, row } from './runner.ts';

const LAUNCHER = fileURLToPath(new URL('../../cli/bin/mxproof.mjs', import.meta.url));
const SECRET_KEY = 'only for this benchmark';
const RESULTS = 1_000_000;
const LISTS = 10;
const CHUNK = 250;
const MEGABYTE = 1_000_000;
/** Far above both commands, far below the tables. */
const MOST_MEGABYTES = 300;
const POLL_MS = 50;

export const run: Bench = async ({ runs, log }) => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-bench-'));
  try {
    const source = join(folder, 'source');
    await fill(source);
    log('filled');
    const backups: Figures[] = [];
    const restores: Figures[] = [];
    const first = join(folder, '0.backup');
    for (let at = 0; at < runs; at += 1) {
      const [file, store] = [join(folder, `${at}.backup`), join(folder, `restored-${at}`)];
      backups.push(await command(['backup', file], source));
      restores.push(await command(['restore', file], store));
      log(`run ${at + 1}`);
      const again = join(folder, 'again.backup');
      await command(['backup', again], store);
      await compare(first, again);
      rmSync(store, { recursive: true });
      rmSync(again);
    }
    const bytes = statSync(first).size / MEGABYTE;
    const seconds = (all: readonly Figures[]) => all.map((each) => each.seconds);
    const memory = (all: readonly Figures[]) => all.map(({ megabytes }) => megabytes);
    const most = { at: 'most', value: MOST_MEGABYTES } as const;
    return [
      row(
        'a million results backed up',
        's',
        seconds(backups),
        null,
        `${bytes.toFixed(0)} MB, with evidence`,
      ),
      row('… memory of the command', 'MB', memory(backups), most),
      row('… restored into an empty store', 's', seconds(restores), null, 'the same bytes, table by table'),
      row('… memory of the command', 'MB', memory(restores), most),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

interface Figures {
  readonly seconds: number;
  readonly megabytes: number;
}

async function command(args: readonly string[], dataDir: string): Promise<Figures> {
  const beganMs = performance.now();
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    env: { ...process.env, MXPROOF_DATA_DIR: dataDir, MXPROOF_SECRET_KEY: SECRET_KEY, DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let kilobytes = 0;
  const look = () => {
    try {
      const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
      kilobytes = Math.max(kilobytes, Number(found ?? 0));
    } catch {
      // It has just ended.
    }
  };
  const timer = setInterval(look, POLL_MS);
  const [status] = (await once(child, 'exit')) as [number];
  clearInterval(timer);
  if (status !== 0) throw new Error(`mxproof ${args[0]} ended with ${status}`);
  return { seconds: (performance.now() - beganMs) / 1_000, megabytes: (kilobytes * 1_024) / MEGABYTE };
}

/** Texts as long as real ones, evidence that does not compress. */
async function fill(dataDir: string): Promise<void> {
  const embedded = await useEmbedded(dataDir, { debug() {}, info() {}, warn() {} });
  const db = openDatabase({ url: embedded.connectionString, poolSize: 2, answerTimeoutMs: 0 });
  try {
    await migrate(db);
    await openAccount(db, THE_SERVICE, createSecretBox(SECRET_KEY), { name: 'bench', credits: RESULTS });
    await db.query('SET statement_timeout = 0');
    const total = RESULTS / LISTS;
    await db.query(
      `INSERT INTO mxproof.lists (account_id, single, name_json, status, total, duplicates_removed, checked, deliverable, finished_at)
       SELECT 1, false, '"list"', 'done', $2::int, 0, $2::int, $2::int, now() FROM generate_series(1, $1::int)`,
      [LISTS, total],
    );
    for (let list = 1; list <= LISTS; list += 1) {
      await db.query(
        `INSERT INTO mxproof.chunks (list_id, n, size, emails, results)
         SELECT $1, n, $2::int,
           (SELECT string_agg('person' || i || '.' || left(md5(n::text || i), 8) || '@domain' || (i * 7 % 40) || '.example', E'\\n') FROM generate_series(1, $2::int) i),
           (SELECT string_agg(left(md5(i || '-' || n), 3) || ',95,mx' || (i % 40) || '.example', E'\\n') FROM generate_series(1, $2::int) i)
         FROM generate_series(1, $3::int) n`,
        [list, CHUNK, total / CHUNK],
      );
      await db.query(
        `INSERT INTO mxproof.evidence (list_id, n, data)
         SELECT $1::bigint, n, (SELECT string_agg(decode(md5(n::text || i || $1::bigint), 'hex'), ''::bytea) FROM generate_series(1, 400) i)
         FROM generate_series(1, $2::int) n`,
        [list, total / CHUNK],
      );
    }
  } finally {
    await db.close();
    await embedded.release();
  }
}

async function compare(a: string, b: string): Promise<void> {
  const [one, other] = await Promise.all([hashes(a), hashes(b)]);
  // The restored store has noted no backup of its own before it was backed up.
  for (const each of [one, other]) each.delete('backups');
  if (JSON.stringify([...one]) !== JSON.stringify([...other]))
    throw new Error('what was restored is not what was backed up');
}

async function hashes(file: string): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  let hash = createHash('sha256');
  let name = '';
  for await (const { kind, payload } of readFrames(createReadStream(file) as AsyncIterable<Buffer>)) {
    if (kind === 'table') {
      name = (readJson(payload) as { name: string }).name;
      hash = createHash('sha256');
    }
    if (kind === 'data') hash.update(zstdDecompressSync(payload));
    if (kind === 'rows') all.set(name, `${hash.digest('hex')} ${payload}`);
  }
  return all;
}
