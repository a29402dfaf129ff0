// Keys that were revoked after a backup, in a store that is restored from it.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase } from '../../../test/database.ts';
import { quiet, startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { addKey } from '../../flow/add-key.ts';
import { readKey } from '../../rules/api-key.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { readConfig } from '../../settings/config.ts';
import { openDatabase } from '../../store/database.ts';
import { findKeyOwners, revokeKey } from '../../store/keys.ts';
import { backupToFile } from './backup-to-file.ts';
import { restoreFromFile } from './restore-from-file.ts';
import { startRevokedKeys, writeRevokedKeys } from './revoked-keys.ts';

let s: TestService;
let folder: string;
let file: string;
let revokedFile: string;
beforeEach(async () => {
  s = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'mxproof-revoked-'));
  file = join(folder, 'own.backup');
  revokedFile = join(folder, 'revoked-keys');
});
afterEach(async () => {
  await s.close();
  rmSync(folder, { recursive: true });
});

const config = (more: Record<string, string> = {}) =>
  readConfig({ MXPROOF_DATA_DIR: join(folder, 'data'), MXPROOF_SECRET_KEY: 'test', ...more });
const backUp = (to = file) => backupToFile({ actor: THE_SERVICE, db: s.db, config: config(), file: to });
const newKey = () => addKey(s.db, THE_SERVICE, { accountId: s.accountId, label: 'own', manage: false });

/** Which of these keys are admitted in the restored store, and what was said. */
async function restored(apiKeys: readonly string[]) {
  const fresh = await freshDatabase();
  const db = openDatabase({ url: fresh.url, poolSize: 2, onError: () => {} });
  try {
    const said = await restoreFromFile({
      actor: THE_SERVICE,
      config: config({ DATABASE_URL: fresh.url }),
      file,
      warn: () => {},
    });
    const owners = await findKeyOwners(
      db,
      apiKeys.map((each) => readKey(each)!),
    );
    return { valid: owners.map((owner) => owner !== null), revoked: said.revoked };
  } finally {
    await db.close();
    await fresh.drop();
  }
}

const lines = () =>
  readFileSync(revokedFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

test('a key that was revoked after the backup is revoked again, and named; the others stay', async () => {
  const [before, after, kept] = [await newKey(), await newKey(), await newKey()];
  await revokeKey(s.db, before.key.id, null);
  await backUp();
  expect(lines()).toHaveLength(1);
  const running = startRevokedKeys({ db: s.db, dataDir: folder, log: quiet, lookMs: 20 });
  try {
    await revokeKey(s.db, after.key.id, null);
    await until(() => lines().length === 2);
  } finally {
    await running.stop();
  }
  expect(readFileSync(revokedFile, 'utf8')).not.toContain(after.key.prefix);
  expect(await restored([before, after, kept].map(({ apiKey }) => apiKey))).toEqual({
    valid: [false, false, true],
    revoked: [after.key.prefix],
  });
});

test('so is a key of an operator', async () => {
  await s.db.query(
    `INSERT INTO mxproof.admin_keys (prefix, hash, label, scope) VALUES
       ('mx_admin_aaaa', sha256('a'), 'a', 'read'), ('mx_admin_bbbb', sha256('b'), 'b', 'write')`,
  );
  await backUp();
  await s.db.query(`UPDATE mxproof.admin_keys SET revoked_at = now() WHERE label = 'a'`);
  await writeRevokedKeys(s.db, folder);
  expect(lines()).toHaveLength(1);
  expect((await restored([])).revoked).toEqual(['mx_admin_aaaa']);
});

test('without the file, it is said that what was revoked is not known', async () => {
  const { apiKey, key } = await newKey();
  await backUp();
  await revokeKey(s.db, key.id, null);
  rmSync(revokedFile);
  expect(await restored([apiKey])).toEqual({ valid: [true], revoked: null });
});

test('a line that a crash has cut is passed over, and written anew with the next backup', async () => {
  const { apiKey, key } = await newKey();
  await backUp();
  await revokeKey(s.db, key.id, null);
  await backUp(join(folder, 'second.backup'));
  truncateSync(revokedFile, 60);
  expect(await restored([apiKey])).toEqual({ valid: [true], revoked: [] });
  await backUp(join(folder, 'third.backup'));
  expect(lines()).toHaveLength(2);
  expect(await restored([apiKey])).toEqual({ valid: [false], revoked: [key.prefix] });
});

test('a file that is something else is neither read nor added to', async () => {
  await backUp();
  writeFileSync(revokedFile, 'keys that I lost on the train\n');
  await expect(restored([])).rejects.toThrow(/revoked-keys is no file of revoked keys/);
  await expect(backUp(join(folder, 'second.backup'))).rejects.toThrow(/revoked-keys is no file/);
  expect(readFileSync(revokedFile, 'utf8')).toBe('keys that I lost on the train\n');
  writeFileSync(revokedFile, '');
  appendFileSync(revokedFile, Buffer.alloc(16 * 1024 * 1024 + 1, '\n'));
  await expect(restored([])).rejects.toThrow(/revoked-keys is larger than 16 MB: remove it\.$/);
});
