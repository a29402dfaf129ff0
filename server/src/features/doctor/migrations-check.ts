// migrations: whether the database has the shape that this version expects.
import { readVersions } from '../../store/migrate.ts';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { failure, ok, warning } from './result.ts';

export const migrationsCheck: DoctorCheck = {
  id: 'migrations',
  title: 'Database version',
  needs: ['database'],
  run: async ({ db }) => judgeVersions(await readVersions(db!)),
};

function judgeVersions({ database, ours }: { database: number; ours: number }): CheckResult {
  if (database > ours)
    return failure(
      `The database is at version ${database}, and this MXProof knows ${ours}: it will not start on it.`,
      'Install the MXProof that migrated it, or a newer one.',
    );
  if (database < ours) {
    const at = database === 0 ? 'has no tables yet' : `is at version ${database}`;
    return warning(
      `The database ${at}, and this MXProof needs ${ours}.`,
      'The next start migrates it; to do it now, stop older nodes and run "mxproof migrate".',
    );
  }
  return ok(`The database is at version ${ours}, as this MXProof needs it.`);
}
