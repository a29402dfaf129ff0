// One run of the engine over a workload in a world of another process. Promise: a fresh checker each time, so that
// the gentle start and every lookup are in the figure; every finding compared with the world's own truth.
import { type CheckerOptions, createChecker, type Finding, parsePolicy } from '../../engine/src/index.ts';
import { compileWorld } from '../../world/src/compile-world.ts';
import { createRandom } from '../../world/src/random.ts';
import type { Counters } from '../../world/src/traffic.ts';
import { type Truth, truthOf } from '../../world/src/truth.ts';
import { createVirtualWorld } from '../../world/src/virtual.ts';
import type { WorldProcess } from '../../world/src/world-process.ts';
import type { Workload } from './workload.ts';

export interface EngineRun {
  readonly seconds: number;
  readonly perSecond: number;
  readonly cpuSecondsPerThousand: number;
  readonly rightShare: number;
  readonly seen: Counters;
}

const SEED = 1;

export function truthsOf(workload: Workload, emails = workload.emails): ReadonlyMap<string, Truth> {
  const world = compileWorld(workload.spec, { seed: SEED });
  return new Map(emails.map((email) => [email, truthOf(world, email)]));
}

export function policyOf(everyone: object): NonNullable<CheckerOptions['policy']> {
  const parsed = parsePolicy({ everyone });
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

/** The peers name a sender too. Without one (`<>`) each recipient needs a transaction of its own. */
export const SENDER = 'bench@bench.example';

/** The limits of the hosts of `bearingWorkload`, as an operator's policy; everything else is the default. */
export const BY_POLICY = {
  mailFrom: SENDER,
  policy: policyOf({
    refusalsPerConnection: 25,
    recipientsPerTransaction: 100,
    recipientsPerConnection: 100,
  }),
} satisfies CheckerOptions;

export async function runEngine(
  world: WorldProcess,
  emails: readonly string[],
  truths: ReadonlyMap<string, Truth>,
  options: CheckerOptions = {},
): Promise<EngineRun> {
  await world.seen();
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const checker = createChecker({
    dnsServers: [world.dnsServer],
    smtpPort: world.smtpPort,
    allowPrivateTargets: true,
    heloName: 'bench.example.com',
    ...options,
  });
  const said: Pick<Finding, 'email' | 'state' | 'reason'>[] = [];
  for await (const { email, state, reason } of checker.checkAll(emails)) said.push({ email, state, reason });
  const seconds = (performance.now() - startMs) / 1000;
  const used = process.cpuUsage(cpu);
  // Looked up after the clock is stopped: this is the benchmark's work, not the engine's.
  const right = said.filter(({ email, state, reason }) => {
    const truth = truths.get(email);
    return truth !== undefined && state === truth.state && reason === truth.reason;
  }).length;
  await checker.close(0);
  const { total } = await world.seen();
  return {
    seconds,
    perSecond: emails.length / seconds,
    cpuSecondsPerThousand: (used.user + used.system) / 1e3 / emails.length,
    rightShare: right / emails.length,
    seen: total,
  };
}

/** The same list in simulated time: what the schedule alone takes, on a machine that costs nothing. */
export async function simulatedSeconds(workload: Workload, options: CheckerOptions): Promise<number> {
  const world = createVirtualWorld(workload.spec, { seed: SEED });
  const startMs = world.clock.now();
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: world.connect,
    random: createRandom(SEED).next,
    allowPrivateTargets: true,
    heloName: 'bench.example.com',
    ...options,
  });
  let lastMs = startMs;
  const all = async () => {
    for await (const _ of checker.checkAll(workload.emails)) lastMs = world.clock.now();
    await checker.close(0);
  };
  await world.run(all());
  return (lastMs - startMs) / 1000;
}
