// Endpoints of an account, which are told of events for days. The events are written by triggers (migration 0034), and sent as
// callbacks are.
import type { Feature } from '../feature.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { webhookRoutes } from './routes.ts';
import './schemas.ts';
import { startDeliveries } from './start-deliveries.ts';
import { sweepDeliveries } from './stored-deliveries.ts';

export const webhooks: Feature = {
  name: 'webhooks',
  routes(v1, parts) {
    webhookRoutes(v1, parts);
    deliveryRoutes(v1, parts);
  },
  sweeps: [sweepDeliveries],
  join: ({ context, box, roles, log }) => ({
    async start({ postTarget, observer, stopGraceMs }) {
      if (!roles.checks) return { stop: async () => {} };
      return startDeliveries({ context, box, settings: postTarget, observer, log, stopGraceMs });
    },
  }),
};
