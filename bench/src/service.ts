// The service end to end: POST to done on the embedded store, single checks, more nodes. Promise: every figure that has a
// target stands beside it, with the engine alone measured in the same run against the same hosts.
import { spawnWorld, type WorldProcess } from '../../world/src/world-process.ts';
import { besideAMillion, millionWorkload } from './beside-a-million.ts';
import { policyOf, runEngine, truthsOf } from './engine-run.ts';
import { openConnection } from './http-connection.ts';
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
import { type ServiceRig, startServiceRig } from './service-rig.ts';
import { BEARING_LIMITS, createWorkload, ORDINARY_LIMITS, type Workload } from './workload.ts';

export const BEARING_POLICY = {
  refusalsPerConnection: 25,
  recipientsPerTransaction: 100,
  recipientsPerConnection: 100,
};
const ADDRESSES = 100_000;
const DOMAINS = 200;
const SIDE_BY_SIDE = 10;
const POLL_MS = 25;
const BIG_RUNS_MAX = 3;
const VERIFY_CLIENTS = 64;
const VERIFY_ACCOUNTS = 32;
export const VERIFY_SECONDS = 5;
const VERIFY_DOMAINS = 50;
const VERIFY_HOST = { limits: { connectionsPerHost: 1_000, connectionsPerSource: 1_000 } };
export const VERIFY_WORLD = {
  domains: Object.fromEntries(
    Array.from({ length: VERIFY_DOMAINS }, (_, n) => [
      `d${n}.example`,
      { host: VERIFY_HOST, mailboxes: { share: 0.8 } },
    ]),
  ),
};
const SOURCES = ['127.0.0.11', '127.0.0.12', '127.0.0.13'];
const PER_SOURCE_ADDRESSES = 30_000;

const most = (value: number): Target => ({ at: 'most', value });
const least = (value: number): Target => ({ at: 'least', value });

export const run: Bench = async (bench) => {
  const few = { ...bench, runs: Math.min(bench.runs, BIG_RUNS_MAX) };
  return [
    ...(await endToEnd('default policy', ORDINARY_LIMITS, undefined, null, few)),
    ...(await endToEnd('with the policy', BEARING_LIMITS, BEARING_POLICY, most(8), few)),
    ...(await bySize(few)),
    ...(await verifying(bench)),
    ...(await singlesBesideLists(bench)),
    ...(await moreNodes(few)),
  ];
};

async function inWorld<T>(
  workload: Pick<Workload, 'spec'>,
  work: (world: WorldProcess) => Promise<T>,
): Promise<T> {
  const world = await spawnWorld({ spec: workload.spec }, { keepAsks: false });
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}

async function inService<T>(
  world: WorldProcess,
  options: Parameters<typeof startServiceRig>[1],
  work: (rig: ServiceRig) => Promise<T>,
): Promise<T> {
  const rig = await startServiceRig(world, options);
  try {
    return await work(rig);
  } finally {
    await rig.stop();
  }
}

/** Posts the list and polls until it is done; seconds from the first byte. */
export async function postToDone(
  rig: ServiceRig,
  emails: readonly string[],
  key = rig.keys[0]!,
): Promise<number> {
  const connection = await openConnection(rig.port, key);
  const startMs = performance.now();
  const posted = await connection.ask('POST', '/v1/lists', Buffer.from(JSON.stringify({ emails })));
  if (posted.status !== 201) throw new Error(`POST /v1/lists answered ${posted.status}`);
  const { id } = JSON.parse(posted.body.toString()) as { id: number };
  for (;;) {
    const { body } = await connection.ask('GET', `/v1/lists/${id}`);
    const list = JSON.parse(body.toString()) as { status: string; checked: number };
    if (list.status === 'done') break;
    if (list.status === 'failed') throw new Error('the list failed');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  connection.close();
  return (performance.now() - startMs) / 1000;
}

async function endToEnd(
  name: string,
  limits: Parameters<typeof createWorkload>[0]['limits'],
  policy: object | undefined,
  target: Target | null,
  { runs, log }: BenchOptions,
): Promise<BenchRow[]> {
  const workload = createWorkload({ addresses: ADDRESSES, domains: DOMAINS, limits });
  const truths = truthsOf(workload);
  return inWorld(workload, async (world) => {
    const alone: number[] = [];
    const served: number[] = [];
    const memory: number[] = [];
    // In turns, so that a noisy minute of the machine falls on both.
    for (let n = 0; n < runs; n++) {
      const options = policy ? { policy: policyOf(policy) } : {};
      alone.push((await runEngine(world, workload.emails, truths, options)).seconds);
      await inService(world, policy ? { policy } : {}, async (rig) => {
        served.push(await postToDone(rig, workload.emails));
        memory.push(rig.memoryMegabytes());
      });
      log(`100,000, ${name}: engine ${alone.at(-1)!.toFixed(2)} s, service ${served.at(-1)!.toFixed(2)} s`);
    }
    const label = `service: 100,000, ${name}`;
    return [
      row(`${label}: POST to done`, 's', served, target, `engine alone ${short(median(alone))} s`),
      row(
        `${label}: vs the engine alone`,
        '×',
        served.map((seconds, n) => seconds / alone[n]!),
        // Where the policy does not limit the engine, the target is in seconds instead.
        target === null ? most(1.5) : null,
      ),
      row(`${label}: memory at its highest`, 'MB', memory, most(400), 'evidence kept, PostgreSQL apart'),
    ];
  });
}

/** Cost per address as lists grow, and with ten of the largest side by side. */
async function bySize({ runs, log }: BenchOptions): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const workload = createWorkload({ addresses: ADDRESSES, domains: DOMAINS, limits: BEARING_LIMITS });
  await inWorld(workload, (world) =>
    inService(world, { policy: BEARING_POLICY, accounts: SIDE_BY_SIDE }, async (rig) => {
      const measure = async (addresses: number, lists: number) => {
        const emails = workload.emails.slice(0, addresses);
        const results = await repeat(lists === 1 ? runs : 1, async () => {
          const cpu = rig.cpuSeconds();
          const seconds = await Promise.all(
            rig.keys.slice(0, lists).map((key) => postToDone(rig, emails, key)),
          );
          const all = addresses * lists;
          return { ms: (Math.max(...seconds) * 1e3) / all, cpuUs: ((rig.cpuSeconds() - cpu) * 1e6) / all };
        });
        const name =
          lists === 1 ? `${short(addresses)} addresses` : `${lists} lists of ${short(addresses)} at once`;
        log(`service, ${name}: ${results.map(({ ms }) => (ms * 1e3).toFixed(0)).join(', ')} µs each`);
        rows.push(
          row(
            `service cost: ${name}, time each`,
            'ms',
            results.map(({ ms }) => ms),
          ),
          row(
            `service cost: ${name}, CPU each`,
            'µs',
            results.map(({ cpuUs }) => cpuUs),
          ),
        );
      };
      for (const addresses of [1_000, 10_000, ADDRESSES]) await measure(addresses, 1);
      await measure(ADDRESSES, SIDE_BY_SIDE);
    }),
  );
  return rows;
}

async function verifying({ runs, log }: BenchOptions): Promise<BenchRow[]> {
  return inWorld({ spec: VERIFY_WORLD }, (world) =>
    inService(world, { accounts: VERIFY_ACCOUNTS }, async (rig) => {
      const results = await repeat(runs + 1, async (round) => {
        const times = await verifyForAWhile(rig, round);
        const perSecond = times.length / VERIFY_SECONDS;
        const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
        log(`POST /verify: ${perSecond.toFixed(0)}/s, p99 ${p99.toFixed(0)} ms`);
        return { perSecond, p99 };
      });
      // The first round meets every domain for the first time.
      const warm = results.slice(1);
      const name = `POST /verify, ${VERIFY_CLIENTS} clients over ${VERIFY_ACCOUNTS} accounts`;
      return [
        row(
          name,
          '/s',
          warm.map(({ perSecond }) => perSecond),
          least(500),
        ),
        row(
          `${name}: p99`,
          'ms',
          warm.map(({ p99 }) => p99),
          most(250),
        ),
      ];
    }),
  );
}

function singlesBesideLists(bench: BenchOptions): Promise<BenchRow[]> {
  const workload = millionWorkload();
  return inWorld(workload, (world) =>
    inService(world, { accounts: SIDE_BY_SIDE }, (rig) => besideAMillion(rig, workload, bench)),
  );
}

export async function verifyForAWhile(rig: ServiceRig, round: number): Promise<number[]> {
  const times: number[] = [];
  const endMs = performance.now() + VERIFY_SECONDS * 1000;
  await Promise.all(
    Array.from({ length: VERIFY_CLIENTS }, async (_, client) => {
      const connection = await openConnection(rig.port, rig.keys[client % rig.keys.length]!);
      for (let turn = 0; performance.now() < endMs; turn++) {
        const email = `p${(round * VERIFY_CLIENTS + client) * 10_000 + turn}@d${(client + turn) % VERIFY_DOMAINS}.example`;
        const { status, ms } = await connection.ask(
          'POST',
          '/v1/verify',
          Buffer.from(JSON.stringify({ email })),
        );
        if (status !== 200) throw new Error(`POST /v1/verify answered ${status}`);
        times.push(ms);
      }
      connection.close();
    }),
  );
  return times;
}

/** Hosts that bear little from one source address: three nodes with three of them against one. */
async function moreNodes({ runs, log }: BenchOptions): Promise<BenchRow[]> {
  const limits = { connectionsPerHost: 100, connectionsPerSource: 1 };
  const workload = createWorkload({ addresses: PER_SOURCE_ADDRESSES, domains: 10, limits });
  const policy = { connections: 1 };
  const sourceOf = (n: number) => ({ MXPROOF_SOURCE_ADDRESSES: `${SOURCES[n]}=node${n}.example.com` });
  const timeWith = (nodes: number) =>
    inWorld(workload, (world) =>
      inService(world, { policy, env: sourceOf(0) }, async (rig) => {
        for (let n = 1; n < nodes; n++) await rig.addNode(sourceOf(n));
        return repeat(runs, () => postToDone(rig, workload.emails));
      }),
    );
  const one = await timeWith(1);
  const three = await timeWith(SOURCES.length);
  log(`one node ${median(one).toFixed(1)} s, three nodes ${median(three).toFixed(1)} s`);
  return [
    row('service: one node, hosts limited per source', 's', one),
    row('service: three nodes with a source each', 's', three),
    row(
      'service: three nodes against one',
      '×',
      three.map((seconds) => median(one) / seconds),
      least(2.5),
    ),
  ];
}
