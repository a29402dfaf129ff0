// What became of an account's mail: taken, also from sending services by themselves, held against verdicts, and what follows of it for
// the next mail.
import { sweepForgotten } from '../../store/outcome-settings.ts';
import type { Feature } from '../feature.ts';
import { hookDoor } from './hook-door.ts';
import { hookRoutes } from './hook-routes.ts';
import './hook-schemas.ts';
import { outcomeRoutes } from './routes.ts';
import { outcomeRowFields } from './row-fields.ts';
import './schemas.ts';
import { sweepHookTokens } from './stored-hooks.ts';
import { sweepOldOutcomes } from './stored-outcomes.ts';
import { suppressionRoutes } from './suppression-routes.ts';

export const outcomes: Feature = {
  name: 'outcomes',
  routes(v1, parts) {
    outcomeRoutes(v1, parts);
    suppressionRoutes(v1, parts);
    hookRoutes(v1, parts);
  },
  async pages(app, parts, door) {
    hookDoor(app, parts, door);
  },
  rowFields: outcomeRowFields,
  sweeps: [sweepForgotten, sweepOldOutcomes, sweepHookTokens],
};
