// Counts what happens, and shows it to scrapers. Promise: loaded and counted only where MXPROOF_METRICS_PORT is set.
import type { Feature } from '../feature.ts';

export const metrics: Feature = {
  name: 'metrics',
  listensAt: ({ metrics: address }) => (address === null ? null : { ...address, tls: null }),
  async join({ config: { metrics: address, sourceAddresses, policy }, roles, context: { db }, log }) {
    if (address === null) return {};
    const { createMetrics } = await import('./start-metrics.ts');
    const { meter, listen } = createMetrics(address, {
      sources: sourceAddresses.map(({ name }) => name),
      policy,
    });
    return {
      observer: meter,
      async start({ checker, readiness }) {
        const listener = await listen({ db, checker, http: roles.http, readiness });
        log.info({ url: listener.url }, 'metrics');
        if (listener.isOpenToAll)
          log.warn(
            'metrics are shown to everyone who reaches their port: set MXPROOF_METRICS_TOKEN, or MXPROOF_METRICS_HOST to 127.0.0.1',
          );
        return { stop: () => listener.close() };
      },
    };
  },
};
