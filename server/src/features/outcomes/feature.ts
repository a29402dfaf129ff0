// What became of an account's mail: taken, held against verdicts, and what follows of it for the next mail.
import { sweepForgotten } from '../../store/outcome-settings.ts';
import type { Feature } from '../feature.ts';
import { outcomeRoutes } from './routes.ts';
import { outcomeRowFields } from './row-fields.ts';
import './schemas.ts';
import { sweepOldOutcomes } from './stored-outcomes.ts';
import { suppressionRoutes } from './suppression-routes.ts';

export const outcomes: Feature = {
  name: 'outcomes',
  routes(v1, parts) {
    outcomeRoutes(v1, parts);
    suppressionRoutes(v1, parts);
  },
  rowFields: outcomeRowFields,
  sweeps: [sweepForgotten, sweepOldOutcomes],
};
