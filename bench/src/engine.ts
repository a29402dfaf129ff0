// The engine's benchmark: the workloads that have targets, the same engine limited to one connection per address, and the
// peers, all in one run against the same hosts. Promise: every finding is compared with the truth, every 421 and delay is
// counted, and the floor is printed beside the figure.
import type { CheckerOptions } from '../../engine/src/index.ts';
import { DEFAULT_POLICY } from '../../engine/src/policy/default-policy.ts';
import { spawnWorld } from '../../world/src/world-process.ts';
import {
  BY_POLICY,
  type EngineRun,
  policyOf,
  runEngine,
  SENDER,
  simulatedSeconds,
  truthsOf,
} from './engine-run.ts';
import { type FloorLimits, floorSeconds, OPENING_IN_SIMULATION } from './floor.ts';
import { runInOwnProcess } from './own-process.ts';
import { bestPeer } from './peers.ts';
import { rawCpuPerThousand } from './raw-cost.ts';
import {
  type Bench,
  type BenchOptions,
  type BenchRow,
  median,
  repeat,
  row,
  short,
  type Target,
} from './runner.ts';
import { unresponsiveRows } from './unresponsive.ts';
import { warmHosts } from './warm-hosts.ts';
import {
  BEARING_LIMITS,
  bearingWorkload,
  createWorkload,
  floorHosts,
  ORDINARY_LIMITS,
  REPLY_DELAY_MS,
  type Workload,
} from './workload.ts';

/** Addresses checked before a workload is measured, so that its code is compiled. */
const WARM_UP_ADDRESSES = 200_000;
const WARM_UP_RUNS_MAX = 10;
/** Beyond this the run says nothing new and takes minutes. */
const HELD_DOWN_ADDRESSES = 3_000;
const BIG_RUNS_MAX = 3;

const least = (value: number): Target => ({ at: 'least', value });
const most = (value: number): Target => ({ at: 'most', value });

interface Setting {
  readonly name: string;
  readonly workload: Workload;
  readonly limits: FloorLimits;
  readonly options: CheckerOptions;
}

export const run: Bench = async (bench) => {
  const ordinary = createWorkload({ addresses: 10_000, domains: 200, limits: ORDINARY_LIMITS });
  const bearing = bearingWorkload();
  const byDefault = { limits: DEFAULT_POLICY.everyone.limits, options: { mailFrom: SENDER } };
  const { policy } = BY_POLICY;
  const byPolicy = { limits: policy.everyone.limits, options: BY_POLICY };

  const rows: BenchRow[] = [...(await unresponsiveRows(bench))];
  const peer = await bestPeer(ordinary, bench);
  const heldDown = await measureHeldDown(ordinary, bench);
  rows.push(row('engine limited to one connection per address, no pipelining', 'addresses/s', heldDown));
  rows.push(...peer.rows);
  const compared = (
    name: string,
    measured: Measurement,
    heldDownTarget: number | null,
    peerTarget: number | null,
  ) => against(name, measured, heldDownTarget, peerTarget, heldDown, peer.perSecond);

  const plain = await measure(
    { name: '10,000 over 200 domains, default policy', workload: ordinary, ...byDefault },
    bench,
  );
  rows.push(...(await describe(plain)), ...compared('default policy', plain, 15, 30));
  const bears = {
    name: '10,000, hosts that allow 25 refusals, set in the policy',
    workload: bearing,
    ...byPolicy,
  };
  const better = await measure(bears, bench);
  rows.push(...(await describe(better)), ...compared('with the policy', better, null, 100));
  rows.push(
    row('10,000, with the policy, first list of a process: time', 's', await measureCold(bears, bench)),
  );

  const few = { ...bench, runs: Math.min(bench.runs, BIG_RUNS_MAX) };
  const big = createWorkload({ addresses: 100_000, domains: 200, limits: ORDINARY_LIMITS });
  const bigPlain = await measure({ name: '100,000, default policy', workload: big, ...byDefault }, few);
  rows.push(
    row('100,000, default policy: time', 's', seconds(bigPlain), most(15)),
    ...(await describe(bigPlain)),
    ...compared('100,000, default policy', bigPlain, 15, 30),
  );
  const bigBearing = createWorkload({ addresses: 100_000, domains: 200, limits: BEARING_LIMITS });
  const bigPolicy = await measure(
    { name: '100,000, with the policy', workload: bigBearing, ...byPolicy },
    few,
  );
  rows.push(
    row('100,000, with the policy: time', 's', seconds(bigPolicy), most(4)),
    ...(await describe(bigPolicy)),
    ...compared('100,000, with the policy', bigPolicy, null, 100),
  );
  const wide = createWorkload({ addresses: 20_000, domains: 2_200, limits: ORDINARY_LIMITS });
  const wideName = '20,000 over 2,200 domains';
  rows.push(
    ...(await describe(await measure({ name: wideName, workload: wide, ...byDefault }, bench))),
    ...(await besideRawConnections(wideName, wide, bench)),
  );

  const unnamed = { ...byDefault, options: {} };
  const unnamedByPolicy = { ...byPolicy, options: { policy } };
  for (const [name, workload, setting] of [
    ['10,000, default policy, null sender', ordinary, unnamed],
    ['10,000, with the policy, null sender', bearing, unnamedByPolicy],
    ['20,000 over 2,200 domains, null sender', wide, unnamed],
  ] as const) {
    const measured = await measure({ name, workload, ...setting }, few);
    rows.push(...rates(measured), ...compared(name, measured, null, null));
  }
  return rows;
};

interface Measurement {
  readonly setting: Setting;
  readonly runs: readonly EngineRun[];
  readonly floor: number;
}

async function measure(setting: Setting, { runs, log }: BenchOptions): Promise<Measurement> {
  const { workload, options, limits, name } = setting;
  const truths = truthsOf(workload);
  const floor = floorSeconds(floorHosts(workload, truths), limits, REPLY_DELAY_MS);
  const warmUps = Math.min(WARM_UP_RUNS_MAX, Math.ceil(WARM_UP_ADDRESSES / workload.emails.length));
  const results = await runInOwnProcess({ workload, options, warmUps, runs }, ({ seconds, seen }) =>
    log(`${name}: ${seconds.toFixed(2)} s, floor ${floor.toFixed(2)} s, ${seen.given421} × 421`),
  );
  return { setting, runs: results, floor };
}

/** Share of the floor that the schedule alone reaches, in simulated time: what no other machine would improve. */
async function simulatedShare({ workload, limits, options }: Setting): Promise<number> {
  const hosts = floorHosts(workload, truthsOf(workload));
  const floor = floorSeconds(hosts, limits, REPLY_DELAY_MS, OPENING_IN_SIMULATION);
  return floor / (await simulatedSeconds(workload, options));
}

async function describe(measured: Measurement): Promise<BenchRow[]> {
  const { setting, runs, floor } = measured;
  const { name } = setting;
  return [
    ...rates(measured),
    row(
      `${name}: share of the floor reached`,
      '',
      runs.map((one) => floor / one.seconds),
      least(0.5),
    ),
    row(`${name}: share of the floor, simulated time`, '', [await simulatedShare(setting)]),
    row(
      `${name}: right`,
      '',
      runs.map((one) => one.rightShare),
      least(1),
    ),
    row(
      `${name}: 421s and delays drawn`,
      '',
      runs.map((one) => one.seen.given421 + one.seen.delays),
      most(0),
    ),
  ];
}

function rates({ setting: { name }, runs, floor }: Measurement): BenchRow[] {
  return [
    row(
      `${name}: rate`,
      'addresses/s',
      runs.map((one) => one.perSecond),
      null,
      `floor ${short(floor)} s`,
    ),
    row(
      `${name}: CPU per thousand addresses`,
      's',
      runs.map((one) => one.cpuSecondsPerThousand),
      most(0.05),
    ),
  ];
}

function against(
  name: string,
  { runs }: Measurement,
  heldDownTarget: number | null,
  peerTarget: number | null,
  heldDown: readonly number[],
  peerPerSecond: number | null,
): BenchRow[] {
  const times = (by: number) => runs.map((one) => one.perSecond / by);
  const target = (times: number | null) => (times === null ? null : least(times));
  const held = times(median(heldDown));
  const rows = [row(`${name}: vs the limited engine`, '×', held, target(heldDownTarget))];
  if (peerPerSecond !== null)
    rows.push(row(`${name}: vs the best peer`, '×', times(peerPerSecond), target(peerTarget)));
  return rows;
}

/** The machine's own share of the CPU time, alternating with the engine so that both see the same load. Warmed up, like the rest. */
async function besideRawConnections(
  name: string,
  workload: Workload,
  { runs }: BenchOptions,
): Promise<BenchRow[]> {
  const truths = truthsOf(workload);
  const world = await spawnWorld({ spec: workload.spec }, { keepAsks: false });
  try {
    await warmHosts(world, workload, truths);
    const engine = async (options: CheckerOptions) =>
      (await runEngine(world, workload.emails, truths, options)).cpuSecondsPerThousand;
    const turn = async () => ({
      connections: await rawCpuPerThousand(world, workload, truths),
      named: await engine({ mailFrom: SENDER }),
      unnamed: await engine({}),
    });
    await repeat(runs, turn);
    const rounds = await repeat(runs, turn);
    const times = (of: 'named' | 'unnamed') => rounds.map((one) => one[of] / one.connections);
    const connections = rounds.map((one) => one.connections);
    return [
      row(`${name}: CPU of its connections alone (raw client)`, 's', connections),
      row(`${name}: CPU, vs its connections alone`, '×', times('named')),
      row(`${name}, null sender: CPU, vs its connections alone`, '×', times('unnamed')),
    ];
  } finally {
    await world.close();
  }
}

async function measureHeldDown(workload: Workload, { runs, log }: BenchOptions): Promise<number[]> {
  const held = await runInOwnProcess(
    {
      workload: { ...workload, emails: workload.emails.slice(0, HELD_DOWN_ADDRESSES) },
      options: { mailFrom: SENDER, pipelining: false, policy: policyOf({ recipientsPerConnection: 1 }) },
      warmUps: 0,
      runs: Math.min(runs, BIG_RUNS_MAX),
    },
    ({ perSecond }) => log(`held down: ${perSecond.toFixed(0)}/s`),
  );
  return held.map((one) => one.perSecond);
}

/** What a process that has just started takes for a list: nothing of the engine is compiled yet. */
async function measureCold({ workload, options }: Setting, { runs, log }: BenchOptions): Promise<number[]> {
  const cold = await repeat(Math.min(runs, BIG_RUNS_MAX), () =>
    runInOwnProcess({ workload, options, warmUps: 0, runs: 1 }, ({ seconds }) =>
      log(`first list of a process: ${seconds.toFixed(2)} s`),
    ),
  );
  return cold.flat().map((one) => one.seconds);
}

function seconds({ runs }: Measurement): number[] {
  return runs.map((one) => one.seconds);
}
