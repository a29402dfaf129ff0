// The doctor on the embedded store: before its first start, beside the running service, and while that is stopped.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startEmbedded } from '../../embedded/start-embedded.ts';
import { openDatabase } from '../../store/database.ts';
import { migrate } from '../../store/migrate.ts';
import { diagnose } from './diagnose.ts';

const folder = mkdtempSync(join(tmpdir(), 'mxproof-doctor-'));
chmodSync(folder, 0o755);
const dataDir = join(folder, 'data');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const log = { debug() {}, info() {}, warn() {} };
const LIMITS = { openMs: 60_000, checkMs: 60_000, allMs: 120_000, graceMs: 500 };

async function ask(): Promise<string[]> {
  const only = ['postgres', 'migrations', 'clock'];
  const report = await diagnose(
    { MXPROOF_DATA_DIR: dataDir },
    { only, limits: LIMITS, closeLimitMs: 60_000 },
  );
  return report.checks.map(({ id, status }) => `${id} ${status}`);
}

test('it makes nothing, disturbs no service, and stops what it started', async () => {
  expect(await ask()).toEqual(['clock skipped', 'postgres skipped', 'migrations skipped']);
  expect(existsSync(dataDir)).toBe(false);

  const service = await startEmbedded({ dataDir, log });
  const db = openDatabase({ url: service.connectionString, poolSize: 1 });
  await migrate(db);
  expect(await ask()).toEqual(['clock ok', 'postgres ok', 'migrations ok']);
  await db.ping();
  await db.close();
  await service.stop();

  expect(await ask()).toEqual(['clock ok', 'postgres ok', 'migrations ok']);
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);

  // Given up: no server is left, and the folder is free for the service.
  const late = startEmbedded({ dataDir, log, signal: AbortSignal.abort() });
  await expect(late).rejects.toThrow('the start was given up');
  await (await startEmbedded({ dataDir, log })).stop();
});
