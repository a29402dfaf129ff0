// Endpoints of an account, which are told of events for days.
import type { Feature } from '../feature.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { webhookRoutes } from './routes.ts';
import './schemas.ts';

export const webhooks: Feature = {
  name: 'webhooks',
  routes(v1, parts) {
    webhookRoutes(v1, parts);
    deliveryRoutes(v1, parts);
  },
};
