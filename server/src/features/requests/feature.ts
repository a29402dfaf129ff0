// The request log: what an account has changed and was refused, for a week. Promise: see keep-requests.ts.
import type { Feature } from '../feature.ts';
import { requestRoutes } from './routes.ts';
import './schemas.ts';
import { sweepExcessRequests, sweepOldRequests } from './stored-requests.ts';

export const requests: Feature = {
  name: 'requests',
  sweeps: [sweepOldRequests, sweepExcessRequests],
  routes: requestRoutes,
};
