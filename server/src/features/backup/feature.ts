// One file that a store can be restored from: by `mxproof backup`, and every night where MXPROOF_BACKUP_DIR is set.
import type { Feature } from '../feature.ts';
import { createLock } from './age-file.ts';
import { startRevokedKeys } from './revoked-keys.ts';

export const backup: Feature = {
  name: 'backup',
  join({ config, context: { db }, log }) {
    const { backupDir: folder, dataDir } = config;
    return {
      async start() {
        // A recipient that is misspelt is told now, and not at night.
        if (folder !== null) await createLock(config);
        const revoked = startRevokedKeys({ db, dataDir, log });
        if (folder === null) return revoked;
        const { startNightlyBackups } = await import('./nightly-backup.ts');
        const nightly = startNightlyBackups({ db, config, folder, log });
        return { stop: () => Promise.all([revoked.stop(), nightly.stop()]) };
      },
    };
  },
};
