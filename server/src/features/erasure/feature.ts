// An address goes from lists, evidence and texts, for good: what was erased stays so after a restore.
import type { Feature } from '../feature.ts';
import { eraseRoutes } from './routes.ts';
import './schemas.ts';
import { readErasureKey } from '../../store/erasure-key.ts';
import { startErasures } from './start-erasures.ts';

export const erasure: Feature = {
  name: 'erasure',
  routes: eraseRoutes,
  async join({ config, context, box, log }) {
    // Seals it: an older MXProof has left it open.
    await readErasureKey(context.db, box);
    return { start: () => startErasures({ context, box, dataDir: config.dataDir, log }) };
  },
};
