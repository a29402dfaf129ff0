// backup: how old the newest one is, and whether it can be restored with its secrets.
import type { Config } from '../config.ts';
import { keptBackups, type MadeBackup } from '../store/backups.ts';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { ok, skipped, warning } from './result.ts';

const HOUR_MS = 3_600_000;
/** A night, and half a day to notice. */
const OLD_HOURS = 36;

export const backupCheck: DoctorCheck = {
  id: 'backup',
  title: 'Backups',
  needs: ['database'],
  run: async ({ config, db }) => judgeBackups(await keptBackups(db!), config, Date.now()),
};

export function judgeBackups(
  [newest]: readonly MadeBackup[],
  { backupDir, secretKey }: Pick<Config, 'backupDir' | 'secretKey'>,
  nowMs: number,
): CheckResult {
  if (newest === undefined)
    return backupDir === null
      ? skipped('No backup was made yet, and MXPROOF_BACKUP_DIR is not set: "mxproof backup FILE" makes one.')
      : warning('No backup was made yet.', 'Wait for the night, or make one with "mxproof backup FILE".');
  const hours = Math.floor((nowMs - newest.madeAt.getTime()) / HOUR_MS);
  const age = ageText(hours);
  if (hours >= OLD_HOURS)
    return warning(
      `The newest backup is ${age} old.`,
      backupDir === null
        ? 'Set MXPROOF_BACKUP_DIR for one every night, or make one with "mxproof backup FILE".'
        : 'Look in the log for "the nightly backup failed", and whether the folder of MXPROOF_BACKUP_DIR has room.',
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
