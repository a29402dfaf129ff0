// Starts one embedded PostgreSQL for a whole test run, in a folder of its own that is removed afterwards.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../src/embedded/start-embedded.ts';

/** Tests need no durability, and many of them share the server. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mxproof-test-'));
  const log = { debug() {}, info() {}, warn() {} };
  const embedded = await startEmbedded({ dataDir, log, settings: FAST });
  project.provide('storeUrl', embedded.connectionString);
  return async () => {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
