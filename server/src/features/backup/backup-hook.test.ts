// The hook of nightly backups, on a real store: which of them it has run for is remembered.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { quiet, startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { readConfig } from '../../settings/config.ts';
import { backupFault, faultSentence } from './backup-schedule.ts';
import { startNightlyBackups } from './nightly-backup.ts';
import { readBackupState } from './stored-nightly.ts';

let s: TestService;
let folder: string;
beforeEach(async () => {
  s = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'mxproof-hooks-'));
  writeFileSync(join(folder, 'hook'), '#!/bin/sh\ntest -e ready && echo "$1" >> copied\n');
  chmodSync(join(folder, 'hook'), 0o700);
});
afterEach(async () => {
  await s.close();
  rmSync(folder, { recursive: true });
});

function start() {
  const config = readConfig({
    MXPROOF_DATA_DIR: join(folder, 'data'),
    MXPROOF_SECRET_KEY: 'test',
    MXPROOF_BACKUP_HOOK: join(folder, 'hook'),
  });
  return startNightlyBackups({ db: s.db, config, folder, log: quiet, lookMs: 50 });
}

const backups = () => readdirSync(folder).filter((name) => name.endsWith('.backup'));
/** So that the duty can be taken again at once. */
const freeDuty = () => s.db.query(`UPDATE mxproof.turns SET taken_at = taken_at - interval '2 minutes'`);
async function fault(): Promise<string | null> {
  const { nowMs, ...state } = await readBackupState(s.db);
  const found = backupFault(state, nowMs);
  return found && faultSentence(found);
}

test('a hook that fails is told, keeps the backup, and runs for that one again until it ends well', async () => {
  const first = start();
  try {
    await until(async () =>
      expect(await fault()).toMatch(
        /^The latest backup failed: \S+\.backup was made, and MXPROOF_BACKUP_HOOK ended with exit status 1\.$/,
      ),
    );
  } finally {
    await first.stop();
  }
  expect([backups().length, existsSync(join(folder, 'copied'))]).toEqual([1, false]);

  // As after a process that was killed, too: what has to be done is in the database.
  writeFileSync(join(folder, 'ready'), '');
  await freeDuty();
  const second = start();
  try {
    await until(async () => expect(await fault()).toBeNull());
    await freeDuty();
    const [{ seen_at: seen } = {}] = await s.db.query<{ seen_at: Date }>(
      'SELECT seen_at FROM mxproof.nightly_backups',
    );
    await until(async () => {
      const [row] = await s.db.query<{ seen_at: Date }>('SELECT seen_at FROM mxproof.nightly_backups');
      return row!.seen_at.getTime() > seen!.getTime() + 250;
    });
  } finally {
    await second.stop();
  }
  expect(readFileSync(join(folder, 'copied'), 'utf8')).toBe(`${join(folder, backups()[0]!)}\n`);
  expect(backups()).toHaveLength(1);
});
