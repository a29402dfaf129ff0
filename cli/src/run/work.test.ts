import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const launcher = join(import.meta.dirname, '../../bin/mxproof.mjs');
const LIMIT_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'mxproof-work-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [{}],
  [{ DATABASE_URL: '' }],
  [{ DATABASE_URL: ' ' }],
])('a worker with %j is refused in one sentence, and makes no store of its own', (settings) => {
  const dataDir = join(folder, 'data');
  const env = { PATH: process.env.PATH, MXPROOF_DATA_DIR: dataDir, ...settings };
  const ran = spawnSync(process.execPath, [launcher, 'work'], { env, encoding: 'utf8', timeout: LIMIT_MS });
  expect({ status: ran.status, stdout: ran.stdout, stderr: ran.stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'A worker needs the PostgreSQL that the service uses: set DATABASE_URL to it, and MXPROOF_SECRET_KEY to the key of the service.\n',
  });
  expect(existsSync(dataDir)).toBe(false);
});
