// backup: whether one is made every night where that is wanted, how old the newest is, and whether it can be restored with its
// secrets.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { Config } from '../../settings/config.ts';
import { keptBackups, type MadeBackup } from '../../store/backups.ts';
import { readVersions } from '../../store/migrate.ts';
import { type BackupState, backupFault, faultSentence } from '../backup/backup-schedule.ts';
import { readBackupState } from '../backup/stored-nightly.ts';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { failure, ok, skipped, warning } from './result.ts';

const HOUR_MS = 3_600_000;
/** A night, and half a day to notice. */
const OLD_HOURS = 36;

export const backupCheck: DoctorCheck = {
  id: 'backup',
  title: 'Backups',
  needs: ['database'],
  async run({ config, db }) {
    const folder = config.backupDir === null ? null : await judgeFolder(config.backupDir);
    if (folder !== null) return folder;
    const { database, ours } = await readVersions(db!);
    if (database < ours) return skipped('The database is not migrated yet.');
    const { nowMs, ...state } = await readBackupState(db!);
    return judgeBackups(await keptBackups(db!), state, config, nowMs);
  },
};

/** Null: backups can be written there. Nothing is: the service may run as another user. */
export async function judgeFolder(folder: string): Promise<CheckResult | null> {
  try {
    if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return failure(
      `No backup can be written to ${folder} (${(error as NodeJS.ErrnoException).code}).`,
      'See that the folder of MXPROOF_BACKUP_DIR is there, that its disk is mounted, and that the user who runs the service may write to it.',
    );
  }
}

export function judgeBackups(
  [newest]: readonly MadeBackup[],
  state: BackupState,
  { backupDir, secretKey }: Pick<Config, 'backupDir' | 'secretKey'>,
  nowMs: number,
): CheckResult {
  const fault = backupFault(state, nowMs);
  if (fault !== null)
    return failure(
      faultSentence(fault),
      'Look in the log of the service with MXPROOF_BACKUP_DIR for "the nightly backup failed", and whether that folder is there and has room; then restart the service, which tries again at once, or make one in that folder with "mxproof backup FILE".',
    );
  if (newest === undefined)
    return backupDir === null
      ? skipped('No backup was made yet, and MXPROOF_BACKUP_DIR is not set: "mxproof backup FILE" makes one.')
      : warning(
          'No backup was made yet.',
          'Start the service, which makes the first at once, or make one with "mxproof backup FILE".',
        );
  const hours = Math.floor((nowMs - newest.madeAt.getTime()) / HOUR_MS);
  const age = ageText(hours);
  if (hours >= OLD_HOURS)
    return warning(
      `The newest backup is ${age} old.`,
      backupDir === null
        ? 'Set MXPROOF_BACKUP_DIR for one every night, or make one with "mxproof backup FILE".'
        : 'See that the service runs, and look in its log for "the nightly backup failed".',
    );
  if (!newest.hasKey && secretKey === null)
    return warning(
      `The newest backup is ${age} old and does not hold the secret key.`,
      'Set MXPROOF_BACKUP_PASSPHRASE to have it sealed inside, or keep the file "secret-key" of the data folder elsewhere.',
    );
  return ok(`The newest backup is ${age} old.`);
}

function ageText(hours: number): string {
  if (hours < 1) return 'less than an hour';
  if (hours < 48) return `${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  return `${Math.floor(hours / 24)} days`;
}
