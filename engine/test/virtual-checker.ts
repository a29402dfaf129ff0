// A checker in a virtual world: hours in milliseconds, no sockets. For tests.

import type { WorldSpec } from '../../world/src/index.ts';
import { createVirtualWorld, type VirtualWorld } from '../../world/src/virtual.ts';
import {
  type Checker,
  type CheckerOptions,
  createChecker,
  type Finding,
  type LogEvent,
} from '../src/index.ts';

export interface Virtual {
  readonly world: VirtualWorld;
  readonly checker: Checker;
  readonly log: LogEvent[];
  check(email: string): Promise<Finding>;
  checkAll(emails: readonly string[]): Promise<Map<string, Finding>>;
  sleep(ms: number): Promise<void>;
}

export function virtualChecker(spec: WorldSpec, options: CheckerOptions = {}): Virtual {
  const world = createVirtualWorld(spec, { seed: 1 });
  const log: LogEvent[] = [];
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: world.connect,
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    random: sequence(),
    log: (event) => log.push(event),
    ...options,
  });
  return {
    world,
    checker,
    log,
    check: (email) => world.run(checker.check(email)),
    checkAll: (emails) =>
      world.run(
        (async () => {
          const found = new Map<string, Finding>();
          for await (const finding of checker.checkAll(emails)) found.set(finding.email, finding);
          return found;
        })(),
      ),
    sleep: (ms) => world.run(new Promise<void>((resolve) => world.clock.setTimeout(resolve, ms))),
  };
}

/** Chance that repeats itself from test to test. */
function sequence(): () => number {
  let state = 12345;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** How often an address was asked about. */
export function asked(virtual: Virtual, email: string): number {
  return virtual.world.seen.asks.get(email)?.length ?? 0;
}

/** Recipients asked about that nobody named: the impossible ones. */
export function impossibleAsks(virtual: Virtual, named: readonly string[]): string[] {
  return [...virtual.world.seen.asks.keys()].filter((email) => !named.includes(email));
}
