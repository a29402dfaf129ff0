// 5,000 sessions to hosts that never reply: what they cost in event-loop time and memory, and whether they slow other
// checks down. Promise: measured with the sessions open, before any other workload has warmed or filled the process.
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createChecker } from '../../engine/src/index.ts';
import type { DomainSpec, WorldSpec } from '../../world/src/spec.ts';
import { spawnWorld, type WorldProcess } from '../../world/src/world-process.ts';
import { runEngine, truthsOf } from './engine-run.ts';
import { type BenchOptions, type BenchRow, median, repeat, row } from './runner.ts';
import { createWorkload, ORDINARY_LIMITS } from './workload.ts';

const UNRESPONSIVE_HOSTS = 5_000;
const OPEN_WAIT_MS = 60_000;
const SETTLE_MS = 25_000;
const WARM_UPS = 10;
const RUNS = 3;
const NANOSECONDS_PER_MS = 1e6;

export async function unresponsiveRows({ log }: BenchOptions): Promise<readonly BenchRow[]> {
  const ordinary = createWorkload({ addresses: 2_000, domains: 100, limits: ORDINARY_LIMITS });
  const truths = truthsOf(ordinary);
  const unresponsive: Record<string, DomainSpec> = {};
  for (let i = 0; i < UNRESPONSIVE_HOSTS; i += 1)
    unresponsive[`unresponsive${i}.example`] = { host: { at: { banner: { next: 'silent' } } } };
  const spec: WorldSpec = { ...ordinary.spec, domains: { ...ordinary.spec.domains, ...unresponsive } };
  const world = await spawnWorld({ spec }, { keepAsks: false });
  const options = { dnsServers: [world.dnsServer], smtpPort: world.smtpPort, allowPrivateTargets: true };
  try {
    const others = async () => (await runEngine(world, ordinary.emails, truths)).seconds;
    await others();
    const before = residentMegabytes();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const checker = createChecker({ ...options, heloName: 'bench.example.com' });
    const asked = checker.ask(
      Object.keys(unresponsive).map((domain) => ({ email: `p1@${domain}` })),
      { onOutcome: () => {} },
    );
    const open = await waitUntilOpen(world);
    const atOnce = residentMegabytes() - before;
    await others();
    delay.disable();
    // V8 returns the garbage of opening them to the system only after a while.
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const megabytes = residentMegabytes() - before;
    // A warm-up: otherwise the case measured second would be faster because its code is already compiled.
    await repeat(WARM_UPS, others);
    const beside = median(await repeat(RUNS, others));
    await checker.close(0);
    await asked;
    const alone = median(await repeat(RUNS, others));
    log(
      `unresponsive: ${open} sessions open, ${megabytes.toFixed(0)} MB, others ${beside.toFixed(2)} s beside them, ${alone.toFixed(2)} s alone`,
    );
    const p99 = delay.percentile(99) / NANOSECONDS_PER_MS;
    const slower = beside / alone;
    return [
      row('open sessions to unresponsive hosts', '', [open], { at: 'least', value: UNRESPONSIVE_HOSTS }),
      row('event-loop delay p99 with them open', 'ms', [p99], { at: 'most', value: 50 }),
      row(
        'memory for open sessions',
        'MB',
        [megabytes],
        { at: 'most', value: 60 },
        `resident, settled; ${atOnce.toFixed(0)} MB right after opening`,
      ),
      row('2,000 addresses of other hosts with them open, vs alone', '×', [slower], {
        at: 'most',
        value: 1.25,
      }),
    ];
  } finally {
    await world.close();
  }
}

async function waitUntilOpen(world: WorldProcess): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const { open } = (await world.seen()).total;
    if (open >= UNRESPONSIVE_HOSTS || performance.now() - startMs > OPEN_WAIT_MS) return open;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** After a collection, so that garbage is not counted as need. */
function residentMegabytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return resident() / 1024;
}

/** Kilobytes. The quick counter behind memoryUsage() lags by what other threads gave back; the exact one does not. */
function resident(): number {
  try {
    return Number(/^Rss:\s+(\d+) kB/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))![1]);
  } catch {
    return process.memoryUsage.rss() / 1024;
  }
}
