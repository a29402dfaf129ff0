// A guard that believes every server, for tests that are about something else.
import { DnsGuard } from '../src/dns/dns-guard.ts';
import type { Resolver } from '../src/ports.ts';
import type { Clock } from '../src/types.ts';

const NO_CLOCK: Clock = { now: () => 0, setTimeout: () => null, clearTimeout: () => {} };

export function credulousGuard(resolver: Resolver): DnsGuard {
  return new DnsGuard({ resolver, sentinels: [], clock: NO_CLOCK, random: () => 0, log: () => {} });
}
