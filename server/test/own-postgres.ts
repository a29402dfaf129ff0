// PostgreSQL servers of an installed package, as Debian's, for tests of the operator's own: one, or a primary with a standby.
// Promise: what was started is stopped by stop(), however the test went; runs where a PostgreSQL 14 or newer is found.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, globSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { until } from './until.ts';

const bin = globSync('/usr/lib/postgresql/*/bin').find(
  (folder) => Number(folder.split('/')[4]) >= 14 && existsSync(join(folder, 'initdb')),
);
/** Required, it fails where there is none. */
export const hasOwnPostgres = bin !== undefined || process.env.MXPROOF_REQUIRE_EXTRAS === '1';
if (!hasOwnPostgres) console.warn('skipped: no PostgreSQL 14 or newer in /usr/lib/postgresql');

const PASSWORD = 'secret';

export interface OwnPostgres {
  readonly port: number;
  readonly url: string;
  readonly cluster: string;
  start(): Promise<void>;
  /** As a machine that loses its power. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses root; the package that brings it also brings its user, who is given `path`. */
export function asUser(path?: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = statSync('/var/lib/postgresql');
  if (path !== undefined) chownSync(path, uid, gid);
  return { uid, gid };
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}): void {
  const { status, stderr } = spawnSync(join(bin!, program), args, {
    ...asUser(),
    cwd: '/',
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
}

/** `settings`: lines of postgresql.conf. */
export async function startOwnPostgres(
  folder: string,
  settings: readonly string[] = [],
): Promise<OwnPostgres> {
  asUser(folder);
  const password = join(folder, 'password');
  writeFileSync(password, `${PASSWORD}\n`, { mode: 0o644 });
  const cluster = join(folder, 'cluster');
  const how = [
    '-U',
    'operator',
    '-A',
    'scram-sha-256',
    `--pwfile=${password}`,
    '-N',
    '-E',
    'UTF8',
    '--locale=C',
  ];
  run('initdb', ['-D', cluster, ...how]);
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    ['fsync = off', ...settings].map((line) => `\n${line}`).join(''),
  );
  return serverIn(cluster);
}

export interface OwnStandby extends OwnPostgres {
  promote(): void;
}

/** Follows the primary, whose commits wait for it if its settings say so. `port`: that of a server that is gone. */
export async function startStandby(folder: string, primary: OwnPostgres, port?: number): Promise<OwnStandby> {
  asUser(folder);
  const cluster = join(folder, 'cluster');
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'operator'];
  run('pg_basebackup', [...from, '-D', cluster, '-R', '-X', 'stream', '-c', 'fast', '-N'], {
    PGPASSWORD: PASSWORD,
  });
  // The password that pg_basebackup was given is in what -R has written.
  const server = await serverIn(cluster, port);
  return { ...server, promote: () => run('pg_ctl', ['promote', '-D', cluster, '-w']) };
}

async function serverIn(cluster: string, givenPort?: number): Promise<OwnPostgres> {
  const port = givenPort ?? (await freePort());
  const url = `postgresql://operator:${PASSWORD}@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | null = null;
  const args = ['-D', cluster, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
  const own = [...args, '-c', 'unix_socket_directories='];
  const start = async () => {
    server = spawn(join(bin!, 'postgres'), own, { ...asUser(), cwd: '/', stdio: 'ignore' });
    await until(async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect().finally(() => client.end().catch(() => {}));
    });
  };
  const end = async (signal: NodeJS.Signals) => {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  await start();
  // SIGQUIT ends it and its processes without writing anything: killed, they would live on for a while.
  return { port, url, cluster, start, kill: () => end('SIGQUIT'), stop: () => end('SIGINT') };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
