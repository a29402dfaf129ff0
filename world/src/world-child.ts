// The process behind spawnWorld: starts the world it is told to, answers what was seen, ends when its parent lets go.
import { startWorld, type World, type WorldSpec } from './index.ts';
import { type Counters, createCounters } from './traffic.ts';
import type { ChildMessage, StartMessage, TrafficSnapshot } from './world-process.ts';

let world: World | undefined;
let cpu = process.cpuUsage();
const before = new Map<Counters, Counters>();

function say(message: ChildMessage): void {
  process.send?.(message);
}

async function start({ source, options }: StartMessage): Promise<void> {
  try {
    const spec =
      'spec' in source ? source.spec : ((await import(source.module)) as { world(): WorldSpec }).world();
    world = await startWorld(spec, options);
    say({ kind: 'started', dnsServer: world.dnsServer, smtpPort: world.smtpPort });
  } catch (error) {
    say({ kind: 'failed', why: error instanceof Error ? error.message : String(error) });
  }
}

/** What was added since last asked; peaks start again from what is open. */
function since(counters: Counters): Counters {
  const last = before.get(counters) ?? createCounters();
  before.set(counters, { ...counters });
  const added = createCounters();
  for (const key of Object.keys(added) as (keyof Counters)[]) added[key] = counters[key] - last[key];
  added.open = counters.open;
  added.peakOpen = counters.peakOpen;
  added.peakPerSource = counters.peakPerSource;
  counters.peakOpen = counters.open;
  counters.peakPerSource = 0;
  return added;
}

function seen(from: World): TrafficSnapshot {
  const used = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  const hosts: Record<string, Counters> = {};
  for (const [name, counters] of Object.entries(from.seen.hosts)) hosts[name] = since(counters);
  return { total: since(from.seen.total), hosts, cpuSeconds: (used.user + used.system) / 1e6 };
}

process.on('message', (message: StartMessage | { kind: 'seen' }) => {
  if (message.kind === 'start') void start(message);
  else if (world !== undefined) say({ kind: 'seen', seen: seen(world) });
});
process.on('disconnect', () => process.exit(0));
