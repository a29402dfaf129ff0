// Today's package beside the working tree with one more migration, which adds a column to every table: on one database, both
// checking. Both work alone and together, every verdict is the true one, money is exact, and what is started on the newer
// database without knowing it stops with one sentence.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../server/src/store/database.ts';
import { newestVersion } from '../server/src/store/migrate.ts';
import { verifyLedger } from '../server/src/store/verify-ledger.ts';
import { type Child, startNode } from '../server/test/child.ts';
import { freshDatabase } from '../server/test/database.ts';
import { EXPANDING_MIGRATION } from '../server/test/expanding-migration.ts';
import { ordinaryWorld, people, until } from '../server/test/faults/fault-rig.ts';
import { startWorld } from '../world/src/index.ts';
import { pack } from './pack.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPLY_DELAY_MS = 40;
const LIST = 500;
const MAX_LISTS = 1_000;
/** All but one of so many lists wait or are being checked at any moment, so that the migration meets one, however slow the machine is. */
const BACKLOG = 4;
const FIRST_CREDITS = 1_000;
const ADDED_CREDITS = 1_000_000;
const NEXT = newestVersion() + 1;
const folder = mkdtempSync(join(tmpdir(), 'mxproof-side-by-side-'));
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** No network: what a package depends on comes from the workspace. */
function linkDependencies(to: string, but: (name: string) => boolean): void {
  const names = readdirSync(join(ROOT, 'node_modules')).flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(ROOT, 'node_modules', name)).map((each) => `${name}/${each}`)
      : name,
  );
  for (const name of names) {
    if (name.startsWith('.') || but(name)) continue;
    mkdirSync(join(to, name, '..'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(to, name));
  }
}

const isOurs = (name: string) => name.startsWith('@mxproof/') || name === 'mxproof';

async function unpackToday(): Promise<string> {
  const [tarball] = await pack(join(folder, 'packed'), ['cli']);
  const modules = join(folder, 'today/node_modules');
  const place = join(modules, 'mxproof');
  mkdirSync(place, { recursive: true });
  execFileSync('tar', ['-xzf', tarball!, '-C', place, '--strip-components=1']);
  linkDependencies(modules, isOurs);
  return join(place, 'bin/mxproof.mjs');
}

function copyNext(): string {
  const next = join(folder, 'next');
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  linkDependencies(join(next, 'node_modules'), isOurs);
  mkdirSync(join(next, 'node_modules/@mxproof'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(next, 'package.json'));
  for (const workspace of workspaces) {
    const from = join(ROOT, workspace);
    cpSync(from, join(next, workspace), {
      recursive: true,
      filter: (path) => !/\/(node_modules|test|dist)(\/|$)|\.test\.ts$/.test(path.slice(from.length)),
    });
    const own = join(from, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(next, workspace, 'node_modules'));
    const { name } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { name: string };
    symlinkSync(join(next, workspace), join(next, 'node_modules', name));
  }
  const file = `${String(NEXT).padStart(4, '0')}-of-the-next-version.sql`;
  writeFileSync(join(next, 'server/src/store/migrations', file), EXPANDING_MIGRATION);
  return join(next, 'cli/bin/mxproof.mjs');
}

test('nodes of this version go on beside the next one, and money is exact', async () => {
  const today = await unpackToday();
  const next = copyNext();
  const database = await freshDatabase();
  closers.push(() => database.drop());
  const db = openDatabase({ url: database.url, poolSize: 2, onError: () => {} });
  closers.push(() => db.close());
  const world = await startWorld(ordinaryWorld(REPLY_DELAY_MS));
  closers.push(() => world.close());
  const start = (launcher: string, ...args: string[]): Child => {
    const child = startNode([launcher, ...args], {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: database.url,
      MXPROOF_DATA_DIR: join(folder, 'data'),
      MXPROOF_SECRET_KEY: 'a key of the tests',
      MXPROOF_SHOW_FIRST_KEY: '1',
      MXPROOF_DNS_SERVERS: world.dnsServer,
      MXPROOF_DNS_SENTINELS: 'none',
      MXPROOF_SMTP_PORT: String(world.smtpPort),
      MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
      MXPROOF_HELO_NAME: 'probe.mxproof.example',
      LOG_FORMAT: 'json',
    });
    closers.push(() => child.end());
    return child;
  };
  const old = start(today, 'serve');
  const { url } = JSON.parse(await old.line(/"msg":"ready"/)) as { url: string };
  const key = /Bearer (\S+)'/.exec(await old.line(/curl .*\/v1\/account/))![1]!;
  expect(await start(today, 'credits', 'add', '1', String(ADDED_CREDITS)).ended).toBe(0);
  const call = async (path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` }, ...sent });
    // biome-ignore lint/suspicious/noExplicitAny: the test reads what it expects.
    return { status: answer.status, json: (await answer.json()) as any };
  };
  const lists: number[] = [];
  const submit = async () => {
    const { status, json } = await call('/v1/lists', { emails: people(LIST, lists.length * LIST) });
    expect(status).toBe(201);
    lists.push(json.id);
  };
  const count = async (listId: number) =>
    (
      await db.query<{ checked: number; status: string }>(
        'SELECT checked, status FROM mxproof.lists WHERE id = $1',
        [listId],
      )
    )[0]!;
  const isDone = async (listId: number) => (await count(listId)).status === 'done';

  // The next version migrates while lists are being checked.
  const newer = start(next, 'work');
  let isUp = false;
  const up = newer.line(/"msg":"checking"/).finally(() => {
    isUp = true;
  });
  // Awaited below; a submission may fail before.
  up.catch(() => {});
  while (!isUp && lists.length < MAX_LISTS) {
    await submit();
    if (lists.length >= BACKLOG) await until(() => isDone(lists.at(-BACKLOG)!));
  }
  await up;
  await submit();
  await submit();
  expect((await call('/v1/verify', { email: 'p1@d1.example' })).json.state).toBe(
    world.truth('p1@d1.example').state,
  );
  for (const id of lists) await until(() => isDone(id));
  const [during] = await db.query<{ lists: number }>(
    `SELECT count(*) AS lists FROM mxproof.lists l JOIN mxproof.migrations m ON m.version = $1
     WHERE l.created_at < m.applied_at AND l.finished_at > m.applied_at`,
    [NEXT],
  );
  expect(during!.lists).toBeGreaterThan(0);

  // Each of them alone.
  newer.process.kill('SIGTERM');
  expect(await newer.ended).toBe(0);
  await submit();
  await until(() => isDone(lists.at(-1)!));
  for (const id of lists) {
    const { json } = await call(`/v1/lists/${id}/results?limit=10000`);
    const results: { email: string; state: string }[] = json.results;
    expect(results.filter(({ email, state }) => state !== world.truth(email).state)).toEqual([]);
  }
  await submit();
  const again = start(next, 'work');
  await again.line(/"msg":"checking"/);
  old.process.kill('SIGTERM');
  expect(await old.ended).toBe(0);
  await until(() => isDone(lists.at(-1)!));

  const refused = start(today, 'serve');
  expect(await refused.ended).toBe(1);
  expect(refused.lines.filter((line) => line.includes('this MXProof knows'))).toEqual([
    expect.stringContaining(
      `The database is at version ${NEXT} and this MXProof knows ${NEXT - 1}: start the MXProof that migrated it, or a newer one.`,
    ),
  ]);

  const [sum] = await db.query<{ used: number }>(
    'SELECT sum(deliverable + risky + undeliverable) AS used FROM mxproof.lists',
  );
  const { used } = sum!;
  expect(used).toBe(lists.length * LIST + 1);
  const [account] = await db.query('SELECT credits, used FROM mxproof.accounts WHERE id = 1');
  expect(account).toEqual({ credits: FIRST_CREDITS + ADDED_CREDITS - used, used });
  expect((await verifyLedger(db)).differences).toEqual([]);
});
