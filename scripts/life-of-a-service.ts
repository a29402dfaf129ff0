// Writes docs/guide/life-of-a-service.md: the years of a service in some minutes, from its first list to a restore elsewhere.
// Promise: every command on the page was run as it stands there, on real PostgreSQL servers and a simulated internet on
// loopback; a step that fails ends it, and nothing is left running.
//   node scripts/with-node.mjs node scripts/life-of-a-service.ts
// Needs Debian's PostgreSQL and curl. Some minutes.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '../server/src/embedded/start-embedded.ts';
import { openDatabase } from '../server/src/store/database.ts';
import { startOwnPostgres, startStandby } from '../server/test/own-postgres.ts';
import { until } from '../server/test/until.ts';
import { spawnWorld } from '../world/src/world-process.ts';
import { freePort, Terminal } from './terminal.ts';
import { Transcript } from './transcript.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(ROOT, 'docs/guide/life-of-a-service.md');
const OLD_STORE = join(ROOT, 'server/test/fixtures/store-0.1.0.sql');
const DOMAINS = 10;
const REPLY_MS = 300;
const CUSTOMERS = 5_000;
const FIRST = 'p1@firm1.example';
/** Those of the lists in the store of 0.1.0, as that version found them. */
const OLDER_DOMAINS = ['one', 'two', 'all', 'grey', 'down'].map((name) => `${name}.example`);
const OLDER_RUNNING = [5, 7, 8, 9];
const NOT_ON_THE_OTHER_MACHINE = [
  'DATABASE_URL',
  'MXPROOF_SECRET_KEY',
  'MXPROOF_BACKUP_DIR',
  'MXPROOF_BACKUP_PASSPHRASE',
];

const closing: (() => unknown)[] = [];
const [load = 0] = loadavg();
const work = mkdtempSync(join(tmpdir(), 'mxproof-life-'));
// Root's PostgreSQL runs as another user, who must be able to walk through here.
chmodSync(work, 0o755);
/** Paths are those of a folder that is gone. */
const page = new Transcript(work, (text) =>
  text.replaceAll(work, '/srv').replaceAll(/operator:secret@/g, 'mxproof:…@'),
);

const status = async (path: string) => (await fetch(`${page.env.MXPROOF_URL}${path}`)).status;

async function listOf(id: number): Promise<{ status: string }> {
  const headers = { authorization: `Bearer ${page.env.MXPROOF_API_KEY}` };
  const answer = await fetch(`${page.env.MXPROOF_URL}/v1/lists/${id}`, { headers });
  if (answer.status !== 200) throw new Error(`list ${id}: ${answer.status}`);
  return (await answer.json()) as { status: string };
}
const isChecking = (id: number) => until(async () => (await listOf(id)).status === 'checking');
/** Or what the page says of it would not be true. */
async function isNotDone(id: number): Promise<void> {
  if ((await listOf(id)).status === 'done')
    throw new Error(`list ${id} was done too soon: make lists longer`);
}
const isDone = (id: number) => until(async () => (await listOf(id)).status === 'done');

/** A list in a file, as a program would send it; returns its number. */
async function submit(name: string, from: number): Promise<number> {
  const emails = people(from);
  writeFileSync(join(work, `${name}.json`), JSON.stringify({ name, emails }));
  const said = await page.run(
    `curl -s $MXPROOF_URL/v1/lists -H "Authorization: Bearer $MXPROOF_API_KEY" -H 'Content-Type: application/json' -d @${name}.json`,
  );
  return (JSON.parse(said) as { id: number }).id;
}

function people(from: number): string[] {
  return Array.from({ length: CUSTOMERS }, (_, n) => `p${from + n}@firm${(from + n) % DOMAINS}.example`);
}

/** In a folder, as version 0.1.0 has left it when its machine lost its power just now. */
async function makeOlderStore(folder: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir: folder, log: { debug() {}, info() {}, warn() {} } });
  const db = openDatabase({ url: embedded.connectionString, poolSize: 1, onError: () => {} });
  const dump = readFileSync(OLD_STORE, 'utf8');
  await db.query(dump);
  await db.query('UPDATE mxproof.lists SET created_at = now() WHERE finished_at IS NULL');
  await db.close();
  await embedded.stop();
  const [, key] = /Secret key: "(.+?)"/.exec(dump)!;
  writeFileSync(join(folder, 'secret-key'), `${key}\n`, { mode: 0o600 });
}

async function live(): Promise<void> {
  const bin = join(work, 'bin');
  for (const folder of [bin, join(work, 'backups')]) mkdirSync(folder);
  writeFileSync(
    join(bin, 'mxproof'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'cli/bin/mxproof.mjs')}' "$@"\n`,
    { mode: 0o755 },
  );
  const domain = { host: { replyDelayMs: REPLY_MS }, mailboxes: { share: 0.8 } };
  const names = Array.from({ length: DOMAINS }, (_, n) => `firm${n}.example`);
  const all = [...names, ...OLDER_DOMAINS];
  const world = await spawnWorld({ spec: { domains: Object.fromEntries(all.map((n) => [n, domain])) } });
  closing.push(() => world.close());
  const port = await freePort();
  Object.assign(page.env, {
    PATH: `${bin}:${process.env.PATH}`,
    PORT: String(port),
    MXPROOF_URL: `http://127.0.0.1:${port}`,
    MXPROOF_DATA_DIR: join(work, 'data'),
    MXPROOF_HELO_NAME: 'verify.example.com',
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_DNS_SENTINELS: 'none',
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
  });
  let service: Terminal;

  await page.section(
    'The first list',
    'One machine, nothing installed but MXProof: it brings its own PostgreSQL.',
    async () => {
      service = await page.start('mxproof serve', /ready/, /ready|Bearer/);
      const [, key = ''] = await service.until(/Bearer (mx_live_[\w-]+)/);
      page.set('MXPROOF_URL', page.env.MXPROOF_URL!);
      page.set('MXPROOF_API_KEY', key);
      await page.run('mxproof credits add 1 49000');
      writeFileSync(join(work, 'customers.csv'), `email\n${people(0).join('\n')}\n`);
      await page.run('mxproof clean customers.csv --yes --output checked.csv');
      await page.run('mxproof ledger verify');
    },
  );

  await page.section(
    'A backup every night',
    'With a folder for it, the service makes the first one at once and then one each night after 03:00 UTC. The passphrase encrypts all of it, the secret key included.',
    async () => {
      await page.waited('the service stopped', () => service.close());
      page.set('MXPROOF_BACKUP_DIR', join(work, 'backups'));
      page.set('MXPROOF_BACKUP_PASSPHRASE', 'a long sentence that is kept elsewhere');
      service = await page.start('mxproof serve', /nightly backup made/, /ready|nightly backup made/);
      await page.run('mxproof backup verify backups/mxproof-*.backup');
    },
  );

  let primary: Awaited<ReturnType<typeof startOwnPostgres>>;
  let standby: Awaited<ReturnType<typeof startStandby>>;
  let worker: Terminal;
  let moving: number;
  await page.section(
    'Grow to your own PostgreSQL',
    'A list is running when the service is stopped. Two commands move everything to a primary with a synchronous standby (PostgreSQL of Debian’s package), and the list goes on there.',
    async () => {
      const [first, second] = [join(work, 'postgres-a'), join(work, 'postgres-b')];
      for (const folder of [first, second]) mkdirSync(folder);
      const settings = ['fsync = on', 'hot_standby = on', "synchronous_standby_names = ''"];
      primary = await startOwnPostgres(first, settings);
      closing.push(() => primary.stop());
      standby = await startStandby(second, primary);
      closing.push(() => standby.stop());
      const admin = openDatabase({ url: primary.url, poolSize: 1, onError: () => {} });
      await admin.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await admin.query('SELECT pg_reload_conf()');
      await admin.close();

      moving = await submit('spring', CUSTOMERS);
      await isChecking(moving);
      await page.waited('the service stopped in the middle of it', () => service.close());
      await page.run('mxproof backup move.backup');
      const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
      page.set(
        'DATABASE_URL',
        `postgresql://operator:secret@${hosts}/postgres?target_session_attrs=read-write`,
      );
      page.env.MXPROOF_SECRET_KEY = readFileSync(join(work, 'data/secret-key'), 'utf8').trim();
      page.write('$ export MXPROOF_SECRET_KEY="$(cat data/secret-key)"');
      await page.run('mxproof restore move.backup');
      service = await page.start('mxproof serve', /ready/);
      await isNotDone(moving);
      await page.waited('the list that was running is done', () => isDone(moving));
      await page.run(`mxproof list show ${moving}`);
      await page.run('mxproof ledger verify');
    },
  );

  await page.section(
    'A second node',
    'The same settings on another machine (here: another process), and it takes its share of every list.',
    async () => {
      worker = await page.start('mxproof work', /checking/);
      await page.run('mxproof healthcheck --role work');
    },
  );

  await page.section(
    'The primary dies',
    'In the middle of a list, as if its machine had lost its power. The standby is promoted; MXProof is left alone.',
    async () => {
      const list = await submit('summer', 2 * CUSTOMERS);
      await isChecking(list);
      await primary.kill();
      await page.waited('the primary is dead; /readyz says 503', () =>
        until(async () => (await status('/readyz')) === 503),
      );
      await page.run(`curl -s $MXPROOF_URL/readyz`);
      page.write(`$ pg_ctl promote -D ${standby.cluster} -w`);
      standby.promote();
      await page.waited('from the promotion to 200', () =>
        until(async () => (await status('/readyz')) === 200),
      );
      await isNotDone(list);
      await page.waited('the list is done', () => isDone(list));
      await page.run(`mxproof list show ${list}`);
      await page.run('mxproof ledger verify');
    },
  );

  await page.section(
    'Upgrade',
    'Another machine runs MXProof 0.1.0, and lost its power while lists were running. It is started with this version: the store is copied, then migrated, and the lists go on.',
    async () => {
      const here = page.env;
      const folder = join(work, 'older');
      await makeOlderStore(folder);
      const olderPort = await freePort();
      page.env = { ...here, PORT: String(olderPort), MXPROOF_URL: `http://127.0.0.1:${olderPort}` };
      for (const name of NOT_ON_THE_OTHER_MACHINE) delete page.env[name];
      page.set('MXPROOF_DATA_DIR', folder);
      const upgraded = await page.start('mxproof serve', /ready/, /copied|as it was|migrated|INFO: ready/);
      await page.run('mxproof account list');
      [, page.env.MXPROOF_API_KEY = ''] = /API key.*?"(.+?)"/s.exec(readFileSync(OLD_STORE, 'utf8'))!;
      await page.waited('the lists that were running are done', async () => {
        for (const id of OLDER_RUNNING)
          await until(async () => {
            const terminal = new Terminal(work, page.env);
            await terminal.run(`mxproof list show ${id} --any`);
            return /status +done/.test(terminal.raw);
          });
      });
      page.write(`$ export MXPROOF_API_KEY='${page.env.MXPROOF_API_KEY}'  # a key of 0.1.0`);
      await page.run('mxproof list ls');
      await page.run('mxproof ledger verify');
      await page.waited('it stopped', () => upgraded.close());
      page.env = here;
    },
  );

  const kept = 'backups/evening.backup';
  await page.section(
    'A person asks to be erased',
    'From every list of every account, with a backup just made that still has the address. What is known of the erasure is in the file `erasures` beside it.',
    async () => {
      await page.run(`mxproof backup ${kept}`);
      await page.run(`mxproof list results 1 | grep -c '^${FIRST}'`);
      await page.run(`mxproof erase ${FIRST} --yes`);
      await page.run(`mxproof list results 1 | grep -c '^${FIRST}' || true`);
      await page.run('ls backups');
      await page.run('mxproof ledger verify');
    },
  );

  await page.section(
    'Restore elsewhere',
    'The machines are gone; what is left is the folder of backups and the passphrase. The new machine has nothing but MXProof. The backup is from before the erasure, and the address stays erased.',
    async () => {
      await page.waited('everything stopped', async () => {
        await worker.close();
        await service.close();
        await standby.stop();
      });
      delete page.env.MXPROOF_SECRET_KEY;
      delete page.env.DATABASE_URL;
      page.write('$ unset DATABASE_URL MXPROOF_SECRET_KEY');
      page.set('MXPROOF_DATA_DIR', join(work, 'elsewhere'));
      await page.run(`mxproof restore ${kept}`);
      service = await page.start('mxproof serve', /ready/, /INFO: ready/);
      await page.run('mxproof list ls');
      await page.run(`mxproof list results 1 | grep -c '^${FIRST}' || true`);
      await page.run('mxproof ledger verify');
      await service.close();
    },
  );
}

function text(): string {
  return `# The life of a service

From the first list to a restore on another machine. \`scripts/life-of-a-service.ts\` ran every command below and wrote this page:
lists of ${CUSTOMERS.toLocaleString('en')} addresses on a simulated internet whose servers take ${REPLY_MS} ms to reply, real PostgreSQL servers, all on one machine with
${availableParallelism()} cores on which ${Math.round(load)} processes wanted to run at a time. A line that begins with \`#\` says how long it took. [Operate MXProof](operate.md) explains each step.

${page.times()}

${page.page()}`;
}

try {
  await live();
  writeFileSync(PAGE, text());
} finally {
  await page.close();
  for (const close of closing.reverse()) await close();
  rmSync(work, { recursive: true, force: true });
}
