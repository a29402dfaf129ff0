// Sources whose hosts have no limit per hour or day. For tests.
import { DEFAULT_POLICY } from '../src/policy/default-policy.ts';
import { Egress, type Source } from '../src/smtp/hosts/egress.ts';
import { MemoryPermits } from '../src/smtp/hosts/memory-permits.ts';
import { SourcePermits } from '../src/smtp/hosts/source-permits.ts';
import type { Clock } from '../src/types.ts';

const STILL: Clock = { now: () => 0, setTimeout: () => null, clearTimeout: () => {} };

const quiet = { clock: STILL, log: () => {} };
const store = new MemoryPermits(STILL);

export const NO_PERMITS = new SourcePermits(null, { store, payers: { areSeveral: false }, ...quiet });

export const egressOf = (sources: readonly Source[]) =>
  new Egress({ sources, permits: store, policy: DEFAULT_POLICY, payers: { areSeveral: false }, ...quiet });
