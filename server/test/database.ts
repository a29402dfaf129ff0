// A fresh, empty database for a test, on the one PostgreSQL that global-setup.ts started for the whole run.
// Promise: no test sees another's rows; drop() works with connections still open.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the run's PostgreSQL. */
    storeUrl: string;
  }
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export async function freshDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const storeUrl = inject('storeUrl');
  // file_copy: faster than the log for a small template, and no test needs to survive a crash of the machine.
  await runSql(storeUrl, `create database ${name} template template0 strategy file_copy`);
  const url = new URL(storeUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runSql(storeUrl, `drop database if exists ${name} with (force)`) };
}

async function runSql(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
