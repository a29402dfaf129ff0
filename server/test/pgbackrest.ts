// Debian's PostgreSQL in a folder of its own, archived and backed up by Debian's pgBackRest as the guide says.
// Promise: the guide's commands and settings run as they stand there but for what a test cannot have: paths, and systemd. stop()
// ends PostgreSQL and removes the folder, however the test went. Needs root.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../src/embedded/free-port.ts';

const bin = globSync('/usr/lib/postgresql/*/bin').find((folder) => existsSync(join(folder, 'initdb')));
/** Required, it fails where they are missing. */
export const hasPgBackRest =
  (bin !== undefined && existsSync('/usr/bin/pgbackrest') && process.getuid?.() === 0) ||
  process.env.MXPROOF_REQUIRE_EXTRAS === '1';
if (!hasPgBackRest) console.warn('skipped: no root, or no pgbackrest and postgresql');

const GUIDE = readFileSync(new URL('../../docs/guide/point-in-time-recovery.md', import.meta.url), 'utf8');
const COMMAND_LIMIT_MS = 120_000;

export interface ArchivedPostgres {
  readonly url: string;
  /** Runs the block of the guide that has these words, with `changes` of what stands in it. Returns what it printed. */
  run(words: string, changes?: Readonly<Record<string, string>>): string;
  psql(statement: string): string;
  stop(): void;
}

export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-pitr-'));
  chmodSync(folder, 0o755);
  const { uid, gid } = statSync('/var/lib/postgresql');
  for (const name of ['main', 'repo', 'run', 'log']) {
    mkdirSync(join(folder, name), { mode: 0o700 });
    chownSync(join(folder, name), uid, gid);
  }
  const main = join(folder, 'main');
  const port = await findFreePort();
  const control = `pg_ctl -s -w -D ${main} -l ${folder}/log/postgres.log`;
  const standIns = {
    'sudo systemctl stop postgresql@15-main': `${control} -m fast stop`,
    'sudo systemctl start postgresql@15-main': `${control} start`,
    'sudo -u postgres ': '',
    '/var/lib/postgresql/15/main': main,
    '/var/lib/pgbackrest': join(folder, 'repo'),
  };
  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: folder,
    LC_ALL: 'C',
    PGHOST: join(folder, 'run'),
    PGPORT: String(port),
    PGUSER: 'postgres',
    PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
    PGBACKREST_LOCK_PATH: join(folder, 'run'),
    PGBACKREST_LOG_PATH: join(folder, 'log'),
  };
  const asPostgres = (script: string): string =>
    printed(
      script,
      spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
        cwd: folder,
        uid,
        gid,
        env,
        encoding: 'utf8',
        timeout: COMMAND_LIMIT_MS,
        // PostgreSQL keeps what it is given open.
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  const block = (words: string, changes: Readonly<Record<string, string>> = {}) =>
    Object.entries({ ...changes, ...standIns }).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      blockOf(words),
    );

  asPostgres(`initdb -D ${main} --auth=trust --encoding=UTF8 --locale=C --username=postgres`);
  appendFileSync(
    join(main, 'postgresql.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}/run'\n${block('archive_command')}`,
  );
  // What a PostgreSQL elsewhere than at its usual place needs.
  writeFileSync(
    env.PGBACKREST_CONFIG,
    `${block('repo1-path')}pg1-port=${port}\npg1-socket-path=${folder}/run\n`,
    { mode: 0o640 },
  );
  chownSync(env.PGBACKREST_CONFIG, uid, gid);
  asPostgres(`${control} start`);
  asPostgres("psql -Xqc 'CREATE DATABASE mxproof'");
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/mxproof`,
    run: (words, changes) => asPostgres(block(words, changes)),
    psql: (statement) => asPostgres(`psql -AtXq -d mxproof -c "${statement}"`).trim(),
    stop() {
      spawnSync('bash', ['-c', `${control} -m immediate stop`], {
        uid,
        gid,
        env,
        cwd: folder,
        stdio: 'ignore',
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Without the indentation of a list's item. */
function blockOf(words: string): string {
  const blocks = [...GUIDE.matchAll(/^( *)```\w*\n([\s\S]*?)^ *```$/gm)];
  const found = blocks.filter(([, , text]) => text!.includes(words));
  if (found.length !== 1) throw new Error(`the guide has ${found.length} blocks with ${words}`);
  return found[0]![2]!.replace(new RegExp(`^${found[0]![1]}`, 'gm'), '');
}

function printed(script: string, { status, stdout, stderr }: SpawnSyncReturns<string>): string {
  if (status !== 0) throw new Error(`${script}\nended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
