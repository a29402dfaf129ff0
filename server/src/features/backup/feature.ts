// One file that a store can be restored from: by `mxproof backup`, and every night where MXPROOF_BACKUP_DIR is set.
import type { Feature } from '../feature.ts';
import { createLock } from './age-file.ts';

export const backup: Feature = {
  name: 'backup',
  join({ config, context: { db }, log }) {
    const { backupDir: folder } = config;
    if (folder === null) return {};
    return {
      async start() {
        const { startNightlyBackups } = await import('./nightly-backup.ts');
        // A recipient that is misspelt is told now, and not at night.
        await createLock(config);
        return startNightlyBackups({ db, config, folder, log });
      },
    };
  },
};
