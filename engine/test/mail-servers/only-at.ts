// A resolver for which every domain's mail host is at one address.
import type { Resolver } from '../../src/ports.ts';

export const onlyAt = (address: string): Resolver => ({
  mx: async (name) => ({
    kind: 'records',
    records: [{ preference: 10, exchange: `mx.${name}` }],
    ttlSeconds: 60,
  }),
  a: async () => ({ kind: 'records', records: [address], ttlSeconds: 60 }),
  aaaa: async () => ({ kind: 'nodata' }),
});
