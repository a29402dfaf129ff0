// Runs a peer at the highest concurrency at which at most 1 % of its answers are lost to the hosts' limits.
import { spawnWorld } from '../../world/src/world-process.ts';
import { truthsOf } from './engine-run.ts';
import { askPeer, findAfterShip, findDeep, findPeers, PEER_PORTS, type Peer } from './find-peers.ts';
import { type BenchOptions, type BenchRow, median, repeat, row } from './runner.ts';
import { warmHosts } from './warm-hosts.ts';
import { createWorkload, ORDINARY_LIMITS, type Workload } from './workload.ts';

interface PeerRun {
  readonly concurrency: number;
  readonly perSecond: number;
  readonly cpuSecondsPerThousand: number;
  readonly rightShare: number;
}

/** What the world knows about an address, in the peers' words. */
type ExpectedAnswer = 'yes' | 'no' | 'catch_all';

interface PeerOrder {
  readonly emails: readonly string[];
  readonly expected: readonly ExpectedAnswer[];
}

const CONCURRENCIES = [20, 30, 40, 50, 60, 80, 120] as const;
/** More at once that is no faster than this has met another limit than the hosts'. */
const WORTHWHILE = 1.03;
const LOST_MAX = 0.01;
const SAMPLE = 2_000;
const RUNS_MAX = 3;

/** The best peer's rate, and a row for each; null where none can run here. */
export async function bestPeer(
  workload: Workload,
  bench: BenchOptions,
): Promise<{ perSecond: number | null; rows: readonly BenchRow[] }> {
  const peers = findPeers([findDeep, findAfterShip], bench.log);
  const rows: BenchRow[] = [];
  let perSecond: number | null = null;
  for (const peer of peers) {
    const runs = await honestRuns(peer, workload, bench);
    if (runs.length === 0) continue;
    const rate = median(runs.map((one) => one.perSecond));
    perSecond = Math.max(perSecond ?? 0, rate);
    const note = `${runs[0]!.concurrency} at once, ${(median(runs.map((one) => one.rightShare)) * 100).toFixed(1)} % right`;
    rows.push(
      row(
        `peer ${peer.name}`,
        'addresses/s',
        runs.map((one) => one.perSecond),
        null,
        note,
      ),
    );
    rows.push(
      row(
        `peer ${peer.name}: CPU per thousand addresses`,
        's',
        runs.map((one) => one.cpuSecondsPerThousand),
      ),
    );
    // A resolver next door, for the reader who has one.
    const near = createWorkload({ addresses: 10_000, domains: 200, limits: ORDINARY_LIMITS, dnsReplyMs: 0 });
    const nearRuns = await honestRuns(peer, near, { ...bench, runs: 1 });
    rows.push(
      row(
        `peer ${peer.name}, DNS without latency`,
        'addresses/s',
        nearRuns.map((one) => one.perSecond),
      ),
    );
  }
  return { perSecond, rows };
}

async function honestRuns(
  peer: Peer,
  workload: Workload,
  { runs, log }: BenchOptions,
): Promise<readonly PeerRun[]> {
  const emails = workload.emails.slice(0, SAMPLE);
  const truths = truthsOf(workload, emails);
  const expected = emails.map((email): ExpectedAnswer => {
    const truth = truths.get(email)!;
    return truth.acceptAll ? 'catch_all' : truth.state === 'deliverable' ? 'yes' : 'no';
  });
  const ports = { ...PEER_PORTS, keepAsks: false };
  const world = await spawnWorld({ spec: workload.spec }, ports).catch((error: Error) => error);
  if (world instanceof Error) {
    log(`${peer.name} left out: ${world.message}`);
    return [];
  }
  try {
    await warmHosts(world, workload, truths);
    const best = await fastestHonestRun(peer, { emails, expected }, log);
    if (best === null) return [];
    const more = Math.min(runs, RUNS_MAX) - 1;
    return [best, ...(await repeat(more, () => runPeer(peer, { emails, expected }, best.concurrency)))];
  } finally {
    await world.close();
  }
}

/** Null: not even the lowest concurrency loses so little. */
async function fastestHonestRun(
  peer: Peer,
  order: PeerOrder,
  log: (line: string) => void,
): Promise<PeerRun | null> {
  let best: PeerRun | null = null;
  for (const concurrency of CONCURRENCIES) {
    const run = await runPeer(peer, order, concurrency);
    log(
      `${peer.name} at ${concurrency}: ${run.perSecond.toFixed(0)}/s, ${(run.rightShare * 100).toFixed(2)} % right`,
    );
    if (run.rightShare < 1 - LOST_MAX) break;
    if (best !== null && run.perSecond < best.perSecond * WORTHWHILE) break;
    best = run;
  }
  return best;
}

async function runPeer(peer: Peer, order: PeerOrder, concurrency: number): Promise<PeerRun> {
  const report = await askPeer(peer, order.emails, concurrency);
  const right = report.answers.filter((answer, i) => agrees(answer, order.expected[i]!)).length;
  return {
    concurrency,
    perSecond: order.emails.length / report.seconds,
    cpuSecondsPerThousand: (report.cpuSeconds / order.emails.length) * 1000,
    rightShare: right / order.emails.length,
  };
}

/** A peer that does not look for catch-alls may call such an address good. */
function agrees(answer: string, expected: ExpectedAnswer): boolean {
  return answer === expected || (expected === 'catch_all' && answer === 'yes');
}
