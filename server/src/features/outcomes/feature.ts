import type { Feature } from '../feature.ts';
import { hookDoor } from './hook-door.ts';
import { hookRoutes } from './hook-routes.ts';
import './hook-schemas.ts';
import { sweepHookTokens } from './stored-hooks.ts';

export const outcomes: Feature = {
  name: 'outcomes',
  routes: hookRoutes,
  async pages(app, parts, door) {
    hookDoor(app, parts, door);
  },
  sweeps: [sweepHookTokens],
};
