// Stores of their own processes and folders for the tests of the embedded PostgreSQL.
// Promise: endStores(), called after each test, leaves no process and no folder behind.

import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbedded } from '../src/embedded/start-embedded.ts';
import { type Child, startNode } from './child.ts';

export const quiet = { debug() {}, info() {}, warn() {} };
const cleanups: Array<() => unknown> = [];

export async function endStores(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

export function onEnd(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** With a space in its name; as root PostgreSQL runs as another user, who must be able to walk through it. */
export function newFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof store '));
  chmodSync(folder, mode);
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const embedded = await startEmbedded({ dataDir, log: quiet });
  onEnd(() => embedded.stop());
  return embedded;
}

export function startService(dataDir: string): Child {
  const child = startNode([join(import.meta.dirname, 'embedded-service.ts'), dataDir]);
  onEnd(() => child.end());
  return child;
}

export async function sql(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export function postgresPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}
