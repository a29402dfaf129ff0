// Ways to the operator's PostgreSQL: through Debian's PgBouncer with its default settings, and over TLS with a certificate of
// an authority of its own. Runs where PostgreSQL and PgBouncer are installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { withDatabase } from '../src/embedded/with-database.ts';
import { readConfig } from '../src/settings/config.ts';
import { openStore } from '../src/start/open-store.ts';
import { openDatabase } from '../src/store/database.ts';
import { listen, type Notification, notify } from '../src/store/notify.ts';
import { startNode } from './child.ts';
import { asUser, hasOwnPostgres, type OwnPostgres, startOwnPostgres } from './own-postgres.ts';
import { hasPgBouncer, startPgBouncer } from './pgbouncer.ts';
import { quiet } from './service.ts';
import { until } from './until.ts';

const LAUNCHER = join(import.meta.dirname, '../../cli/bin/mxproof.mjs');
const folder = mkdtempSync(join(tmpdir(), 'mxproof-poolers-'));
const inFolder = (name: string) => join(folder, name);
const closing: (() => unknown)[] = [];
let own: OwnPostgres;

function openssl(...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0]} ended with ${status}: ${stderr}`);
}

beforeAll(async () => {
  if (!hasOwnPostgres) return;
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-subj',
    '/CN=own CA',
    '-keyout',
    inFolder('ca.key'),
    '-out',
    inFolder('ca.pem'),
  );
  openssl(
    ...['req', '-x509', ...key, '-subj', '/CN=database', '-addext', 'subjectAltName=DNS:localhost'],
    ...[
      '-addext',
      'basicConstraints=critical,CA:FALSE',
      '-CA',
      inFolder('ca.pem'),
      '-CAkey',
      inFolder('ca.key'),
    ],
    ...['-keyout', inFolder('server.key'), '-out', inFolder('server.pem')],
  );
  for (const file of ['server.key', 'server.pem']) asUser(inFolder(file));
  own = await startOwnPostgres(folder, [
    'ssl = on',
    `ssl_cert_file = '${inFolder('server.pem')}'`,
    `ssl_key_file = '${inFolder('server.key')}'`,
  ]);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await own?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const settings = (url: string) => ({
  PATH: process.env.PATH,
  PORT: '0',
  DATABASE_URL: url,
  MXPROOF_SECRET_KEY: 'a key for this test',
  MXPROOF_DATA_DIR: inFolder('data'),
  MXPROOF_SHOW_FIRST_KEY: '1',
  MXPROOF_HELO_NAME: 'probe.example.com',
  MXPROOF_DNS_SERVERS: '127.0.0.1:9',
});

async function pooler(mode: string): Promise<string> {
  const started = await startPgBouncer(own.url, `pool_mode = ${mode}`);
  closing.push(() => started.stop());
  return started.url;
}

/** What a command does first, whatever it is for. */
const whatCommandsSee = (url: string) =>
  withDatabase(
    readConfig(settings(url)),
    () => {},
    async (db) => {
      const [row] = await db.query<{ ssl: boolean }>(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      return row!.ssl;
    },
  );

/** What a service does first. */
const whatServicesSee = (url: string) =>
  openStore(readConfig(settings(url)), quiet, {
    onStop: (_: string, __: number, stop: () => unknown) => void closing.push(stop),
    isStopping: () => false,
  } as never);

test.runIf(hasOwnPostgres && hasPgBouncer)(
  'through PgBouncer in session mode: limits, notifications, prepared statements, and a list to its end',
  async () => {
    const url = await pooler('session');
    const db = openDatabase({ url, poolSize: 2 });
    closing.push(() => db.close());
    const limits = `SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle`;
    expect(await db.query(limits)).toEqual([{ statement: '1min', idle: '30s' }]);
    for (const n of [1, 2]) expect(await db.prepared('twice', 'SELECT $1::int AS n', [n])).toEqual([{ n }]);
    const heard: Notification[] = [];
    const listener = await db.connectAlone();
    closing.push(() => listener.end());
    await listen(listener, (notification) => heard.push(notification));
    await notify(db, { what: 'gone', listId: 7 });
    await until(() => heard.length > 0);
    expect(heard).toEqual([{ what: 'gone', listId: 7 }]);

    const service = startNode([LAUNCHER, 'serve'], settings(url));
    closing.push(() => service.end());
    const ready = JSON.parse(await service.line(/"msg":"ready"/)) as { url: string };
    const key = /Bearer (\S+)'/.exec(await service.line(/curl .*\/v1\/account/))![1]!;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const emails = Array.from({ length: 50 }, (_, n) => `not an address ${n}`);
    const body = JSON.stringify({ emails });
    const answer = await fetch(`${ready.url}/v1/lists`, { method: 'POST', headers, body });
    expect(answer.status).toBe(201);
    const { id } = (await answer.json()) as { id: number };
    await until(async () => {
      const list = await (await fetch(`${ready.url}/v1/lists/${id}`, { headers })).json();
      return (list as { status: string }).status === 'done';
    });
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  },
);

test.runIf(hasOwnPostgres && hasPgBouncer)(
  'through PgBouncer in transaction or statement mode nothing is started, written or left in the sessions of others',
  async () => {
    const url = await pooler('transaction');
    await expect(whatServicesSee(url)).rejects.toThrow(
      'DATABASE_URL leads to a connection pooler in transaction mode, in which LISTEN and prepared statements break: set it to session mode (pool_mode = session), or let DATABASE_URL lead to PostgreSQL itself.',
    );
    await expect(whatCommandsSee(url)).rejects.toThrow(/pooler in transaction mode.*session mode/);
    await expect(whatCommandsSee(await pooler('statement'))).rejects.toThrow(/pooler in transaction mode/);
    const other = openDatabase({ url, poolSize: 1, setsLimits: false });
    closing.push(() => other.close());
    expect(await other.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '0' }]);
  },
);

test.runIf(hasOwnPostgres && hasPgBouncer)(
  'a pooler that has no second connection says so instead of being taken for another mode',
  async () => {
    const { url, stop } = await startPgBouncer(own.url, 'pool_mode = session\ndefault_pool_size = 1');
    closing.push(stop);
    await expect(whatCommandsSee(url)).rejects.toThrow(/raise its pool size \(default_pool_size\)/);
  },
);

const at = (host: string, query: string) =>
  `postgresql://operator:secret@${host.replaceAll('PORT', String(own.port))}/postgres?${query}`;
const trusting = () => `sslmode=verify-full&sslrootcert=${encodeURIComponent(inFolder('ca.pem'))}`;

test.runIf(hasOwnPostgres)('sslmode=verify-full: the name and the authority must be right', async () => {
  expect(await whatCommandsSee(at('localhost:PORT', trusting()))).toBe(true);
  await expect(whatCommandsSee(at('127.0.0.1:PORT', trusting()))).rejects.toThrow(
    `The certificate of PostgreSQL at 127.0.0.1:${own.port} is for another name: correct the host in DATABASE_URL, or give the server a certificate for this name.`,
  );
  // "require" verifies as well, here; in libpq it does not.
  for (const mode of ['verify-full', 'require', 'verify-ca'])
    await expect(whatCommandsSee(at('localhost:PORT', `sslmode=${mode}`))).rejects.toThrow(
      /^The certificate of PostgreSQL at localhost:\d+ is not signed by a known authority .*: add "sslrootcert=FILE"/,
    );
  expect(await whatCommandsSee(at('127.0.0.1:PORT', 'sslmode=no-verify'))).toBe(true);
  expect(() => readConfig(settings(at('localhost:PORT', 'sslmode=verify-full&sslrootcert=/no/ca')))).toThrow(
    'DATABASE_URL names a file that cannot be read (ENOENT): /no/ca',
  );
});

test.runIf(hasOwnPostgres)(
  'of several hosts, one with a wrong certificate is passed over and named',
  async () => {
    const said: string[] = [];
    const url = at('127.0.0.1:PORT,localhost:PORT', `${trusting()}&target_session_attrs=read-write`);
    const db = openDatabase({ url, poolSize: 1, onHost: (line) => said.push(line) });
    closing.push(() => db.close());
    await db.ping();
    expect(said).toEqual([
      expect.stringMatching(/^The certificate of PostgreSQL at 127\.0\.0\.1:\d+ is for another name/),
    ]);
  },
);

test.runIf(hasOwnPostgres)(
  'the service says it at once; NODE_EXTRA_CA_CERTS is as good, and nothing warns',
  async () => {
    await expect(whatServicesSee(at('localhost:PORT', 'sslmode=verify-full'))).rejects.toThrow(
      /^The certificate of PostgreSQL at localhost:\d+ is not signed by a known authority/,
    );
    // The variable is read when a process starts; the driver's own page about sslmode would be a warning of that process.
    const connects = `const { openDatabase } = await import(process.env.MODULE);
      const db = openDatabase({ url: process.env.DATABASE_URL, poolSize: 1 }); await db.ping(); await db.close();`;
    const trusted = startNode(['--input-type=module', '-e', connects], {
      ...settings(at('localhost:PORT', 'sslmode=require')),
      MODULE: join(import.meta.dirname, '../src/store/database.ts'),
      NODE_EXTRA_CA_CERTS: inFolder('ca.pem'),
    });
    closing.push(() => trusted.end());
    expect(await trusted.ended).toBe(0);
    expect(trusted.lines).toEqual([]);
  },
);
