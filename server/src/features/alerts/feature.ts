// Tells the operator by POST or mail what goes wrong.
import type { Feature } from '../feature.ts';
import { startAlerts, VerdictTally } from './start-alerts.ts';

export const alerts: Feature = {
  name: 'alerts',
  join({ config, context: { db }, log }) {
    const verdicts = new VerdictTally();
    return {
      observer: { found: (verdict) => verdicts.count(verdict) },
      start: ({ postTarget }) =>
        startAlerts({
          db,
          verdicts,
          sender: { ways: config.alertWays, target: postTarget, log },
          settings: { unknownPercent: config.alertUnknownPercent, queueMs: config.alertQueueMs },
          heartbeatUrl: config.heartbeatUrl,
          dataDir: config.dataDir,
          isEmbedded: config.databaseUrl === null,
          isBackingUp: config.backupDir !== null,
          log,
        }),
    };
  },
};
