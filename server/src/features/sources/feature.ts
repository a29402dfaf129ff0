// The addresses that mail servers are asked from: their health and rests, what they may ask in an hour or a day, what is left of
// a warm-up, and what all that keeps the service from (GET /status).
import type { Feature } from '../feature.ts';
import { startHealthReport } from './health-report.ts';
import { createSourceHealth } from './keep-health.ts';
import { statusRoutes } from './routes.ts';
import { sweepHealth } from './stored-obstacles.ts';
import { createRecipientPermits, sweepRecipientWindows } from './stored-permits.ts';
import './status-schema.ts';
import { sweepSourceDays } from './stored-health.ts';
import { sweepWarmUps } from './stored-warm-ups.ts';

export const sources: Feature = {
  name: 'sources',
  sweeps: [sweepHealth, sweepWarmUps, sweepRecipientWindows, sweepSourceDays],
  routes: statusRoutes,
  join({ config, context: { db }, log }) {
    const names = config.sourceAddresses.map(({ name }) => name);
    const health = createSourceHealth({ db, sources: names, log });
    return {
      observer: health.observer,
      rests: health.rests,
      permits: createRecipientPermits(db),
      async start({ checker, context, learnRests }) {
        if (checker === null) return { stop: async () => {} };
        await health.start(learnRests);
        return startHealthReport({ db, node: context.jobs.nodeId, checker, log });
      },
      // What the checker has asked last counts as well.
      close: () => health.stop(),
    };
  },
};
