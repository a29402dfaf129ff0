// backup: nothing to look at as long as MXProof makes none.
import type { DoctorCheck } from './doctor-check.ts';
import { skipped } from './result.ts';

export const backupCheck: DoctorCheck = {
  id: 'backup',
  title: 'Backups',
  needs: [],
  run: async () => skipped('There are no backups yet: MXProof makes none of its own.'),
};
