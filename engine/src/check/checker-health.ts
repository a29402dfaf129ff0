// What keeps the engine from checking, from what its parts have seen. Promise: nothing is asked to find it out; it names
// no domain, host or address.
import type { DnsGuard } from '../dns/dns-guard.ts';
import { lowerOf } from '../lower-of.ts';
import type { Egress } from '../smtp/hosts/egress.ts';
import type { CheckerHealth, Clock, Obstacle } from '../types.ts';
import { wallNow } from '../wall-now.ts';
import type { NetworkHealth } from './network-health.ts';

export function healthOf(
  network: Pick<NetworkHealth, 'cutOffSinceMs' | 'answeredAtMs'>,
  guard: Pick<DnsGuard, 'untrustedSinceMs'>,
  egress: Pick<Egress, 'blockedSinceMs' | 'unusableSinceMs'>,
  clock: Clock,
): CheckerHealth {
  const nowMs = clock.now();
  /** The machine's clock minus the engine's. */
  const aheadMs = wallNow(clock) - nowMs;
  const since: Readonly<Record<Obstacle['code'], number | null>> = {
    port_25: lowerOf(network.cutOffSinceMs('smtp'), egress.unusableSinceMs()),
    dns: lowerOf(network.cutOffSinceMs('dns'), guard.untrustedSinceMs),
    source_blocked: egress.blockedSinceMs(nowMs),
  };
  const reachedAtMs = network.answeredAtMs('smtp');
  return {
    obstacles: (Object.keys(since) as Obstacle['code'][]).flatMap((code) => {
      const sinceMs = since[code];
      return sinceMs === null ? [] : [{ code, sinceMs: sinceMs + aheadMs }];
    }),
    reachedAtMs: reachedAtMs === null ? null : reachedAtMs + aheadMs,
  };
}
