// One file that a store can be restored from: by `mxproof backup`, and every night where MXPROOF_BACKUP_DIR is set.
import type { Feature } from '../feature.ts';

export const backup: Feature = {
  name: 'backup',
  join({ config, context: { db }, log }) {
    const { backupDir: folder } = config;
    if (folder === null) return {};
    return {
      async start() {
        const { startNightlyBackups } = await import('./nightly-backup.ts');
        return startNightlyBackups({ db, config, folder, log });
      },
    };
  },
};
