// Waits until a server accepts connections, through crash recovery if necessary.
// Promise: bounded; a server that died or does not know our password ends the wait with the reason.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { STORE_USER } from './make-cluster.ts';
import { type PostgresProcess, readPidFile } from './postgres-process.ts';

/** A large write-ahead log may take minutes to replay after a crash. */
const RECOVERY_LIMIT_MS = 600_000;
const POLL_MS = 25;
const CONNECT_LIMIT_MS = 5_000;

export type Readiness =
  | { readonly kind: 'ready' }
  /** `mayPass`: another try may go well. */
  | { readonly kind: 'failed'; readonly why: string; readonly mayPass: boolean };

/** Waits through recovery until a connection answers. */
export async function waitReady(
  postgres: PostgresProcess,
  clusterDir: string,
  password: string,
  stopped: () => boolean,
): Promise<Readiness> {
  let isGone = false;
  postgres.gone.then(() => {
    isGone = true;
  });
  const deadline = performance.now() + RECOVERY_LIMIT_MS;
  let why = 'it was not ready in time';
  while (performance.now() < deadline && !stopped()) {
    if (isGone) return lastWords(postgres);
    if (readPidFile(clusterDir)?.ready) {
      const failure = await tryConnect(postgres.port, password);
      if (failure === null) return { kind: 'ready' };
      why = failure.message;
      if (failure.code === '28P01') {
        return {
          kind: 'failed',
          why: 'it does not take the password in the data folder’s postgres-password',
          mayPass: false,
        };
      }
    }
    await sleep(POLL_MS);
  }
  return { kind: 'failed', why, mayPass: false };
}

/** PostgreSQL's own words: a dying server's children hold its shared memory, a port may be taken between look and use. */
const PASSING =
  /could not (bind|create any TCP\/IP)|address already in use|pre-existing shared memory|lock file/i;

function lastWords(postgres: PostgresProcess): Readiness {
  const said = postgres.said();
  const last = said.findLast((line) => /FATAL|PANIC/.test(line)) ?? said.at(-1);
  if (last === undefined) return { kind: 'failed', why: 'it ended without a word', mayPass: true };
  return { kind: 'failed', why: last, mayPass: PASSING.test(last) };
}

async function tryConnect(port: number, password: string): Promise<(Error & { code?: string }) | null> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: STORE_USER,
    password,
    database: 'postgres',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return null;
  } catch (error) {
    return error as Error & { code?: string };
  } finally {
    await client.end().catch(() => {});
  }
}
