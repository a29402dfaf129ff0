// A store that is as it was before an erasure and a revocation, as after a point-in-time recovery.

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditRowsIn } from '../../../test/audit-rows.ts';
import { freshDatabase } from '../../../test/database.ts';
import { startTestService, type TestService } from '../../../test/service.ts';
import { addKey } from '../../flow/add-key.ts';
import { readKey } from '../../rules/api-key.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { readConfig } from '../../settings/config.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { findKeyOwners, revokeKey } from '../../store/keys.ts';
import { createSecretBox } from '../../store/secret-box.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';
import { eraseEverywhere } from '../erasure/erase-everywhere.ts';
import { backupToFile } from './backup-to-file.ts';
import { reapply } from './reapply.ts';
import { restoreFromFile } from './restore-from-file.ts';

const box = createSecretBox('test');
let s: TestService;
let folder: string;
let then: Database;
let apiKey: string;
let prefix: string;
let keyId: number;
const closing: (() => Promise<unknown>)[] = [];

/** `s` has erased and revoked, `then` is as it was before; `folder` has the files beside the backup of `s`. */
beforeEach(async () => {
  s = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'mxproof-reapply-'));
  await s.submit(['anna@example.com', 'ben@example.com']);
  const { key, apiKey: secret } = await addKey(s.db, THE_SERVICE, {
    accountId: s.accountId,
    label: 'own',
    manage: false,
  });
  apiKey = secret;
  prefix = key.prefix;
  keyId = key.id;
  const config = readConfig({ MXPROOF_DATA_DIR: join(folder, 'data'), MXPROOF_SECRET_KEY: 'test' });
  const file = join(folder, 'own.backup');
  await backupToFile({ actor: THE_SERVICE, db: s.db, config, file });
  await eraseEverywhere({ db: s.db, box, config }, THE_SERVICE, 'anna@example.com');
  await revokeKey(s.db, key.id, null);
  await backupToFile({ actor: THE_SERVICE, db: s.db, config, file: join(folder, 'later.backup') });

  const apart = join(folder, 'apart');
  mkdirSync(apart);
  copyFileSync(file, join(apart, 'own.backup'));
  const fresh = await freshDatabase();
  closing.push(() => fresh.drop());
  await restoreFromFile({
    actor: THE_SERVICE,
    config: { ...config, databaseUrl: fresh.url },
    file: join(apart, 'own.backup'),
    erasures: null,
    warn: () => {},
  });
  then = openDatabase({ url: fresh.url, poolSize: 2, onError: () => {} });
  closing.push(() => then.close());
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await s.close();
  rmSync(folder, { recursive: true });
});

async function stateOf(): Promise<{ emails: string; isValid: boolean; sessions: number }> {
  const [chunk] = await then.query<{ emails: string }>('SELECT emails FROM mxproof.chunks');
  const [owner] = await findKeyOwners(then, [readKey(apiKey)!]);
  const [counted] = await then.query<{ count: number }>('SELECT count(*) FROM mxproof.sign_in_links');
  return { emails: chunk!.emails, isValid: owner !== null, sessions: counted!.count };
}

test('what was erased and revoked since is so again, once, and no sign-in is left', async () => {
  await then.query(`INSERT INTO mxproof.sign_in_links (hash, account_id) VALUES ('\\x01', $1)`, [
    s.accountId,
  ]);
  const before = { emails: '["anna@example.com","ben@example.com"]', isValid: true, sessions: 1 };
  expect(await stateOf()).toEqual(before);
  expect(await reapply({ db: then, box }, THE_SERVICE, folder)).toEqual({
    erased: { erasures: 1, rows: 1 },
    otherKeys: 0,
    revoked: [prefix],
  });
  expect(await stateOf()).toEqual({ emails: '["","ben@example.com"]', isValid: false, sessions: 0 });
  const noted = (await auditRowsIn(then)).map(({ action, account_id, subject_id, facts }) => ({
    ...{ action, account_id, subject_id, facts },
  }));
  // The trail of the backup, what the restore did, and what was done again.
  expect(noted.slice(-4)).toEqual([
    { action: 'store.backed_up', account_id: null, subject_id: null, facts: {} },
    {
      ...{ action: 'store.restored', account_id: null, subject_id: null },
      facts: { changes: { erased_again: [null, null], revoked_again: [null, null] } },
    },
    { action: 'key.revoked', account_id: s.accountId, subject_id: keyId, facts: {} },
    {
      ...{ action: 'store.reapplied', account_id: null, subject_id: null },
      facts: { changes: { erased_again: [null, 1], revoked_again: [null, 1] } },
    },
  ]);
  expect((await verifyLedger(then)).differences).toEqual([]);
  expect(await reapply({ db: then, box }, THE_SERVICE, folder)).toEqual({
    erased: { erasures: 0, rows: 0 },
    otherKeys: 0,
    revoked: [],
  });
});

test('a folder without the file, a file that is another or another secret key changes nothing', async () => {
  const before = await stateOf();
  await expect(reapply({ db: then, box }, THE_SERVICE, join(folder, 'data'))).rejects.toThrow(
    /^Cannot read .+erasures \(ENOENT\)/,
  );
  await expect(reapply({ db: then, box: createSecretBox('another') }, THE_SERVICE, folder)).rejects.toThrow(
    /key/,
  );
  writeFileSync(join(folder, 'erasures'), 'people that I would rather forget\n');
  await expect(reapply({ db: then, box }, THE_SERVICE, folder)).rejects.toThrow(
    /is no file of erasures: line 1/,
  );
  expect(await stateOf()).toEqual(before);
});
