// `npm run test:chaos [seed]`: the long version of worker/chaos.test.ts. A seed reproduces the schedule.
import { type ChaosReport, runChaos, type Scenario } from './chaos.ts';
import {
  cutConnections,
  killNodes,
  killOneOfMany,
  killPostgres,
  rollingRestart,
  zombie,
} from './chaos-scenarios.ts';

const ADDRESSES = 20_000;
interface Run {
  readonly name: string;
  readonly nodes: number;
  readonly scenario: Scenario;
  readonly replyDelayMs?: number;
}
const RUNS: readonly Run[] = [
  { name: 'kill -9 ten times over', nodes: 1, scenario: killNodes(10), replyDelayMs: 250 },
  { name: 'PostgreSQL killed three times', nodes: 1, scenario: killPostgres(3), replyDelayMs: 100 },
  { name: 'a node stopped for 30 s goes on', nodes: 2, scenario: zombie },
  { name: 'connections cut ten times', nodes: 2, scenario: cutConnections(10) },
  { name: 'three nodes, one killed', nodes: 3, scenario: killOneOfMany },
  { name: 'every node replaced under load', nodes: 3, scenario: rollingRestart },
];

const first = Number(process.argv[2] ?? Math.floor(Math.random() * 1_000_000));
/** Only the runs whose name holds this. */
const wanted = process.argv[3] ?? '';
let failed = 0;
for (const [index, { name, ...run }] of RUNS.entries()) {
  if (!name.includes(wanted)) continue;
  const seed = first + index;
  process.stdout.write(`${name} (seed ${seed}) … `);
  try {
    report(await runChaos({ seed, addresses: ADDRESSES, ...run }));
  } catch (error) {
    failed++;
    console.log(`FAILED\n${(error as Error).message}`);
  }
}
if (failed > 0) console.log(`${failed} of ${RUNS.length} failed; again with: npm run test:chaos -- ${first}`);
process.exit(failed > 0 ? 1 : 0);

function report({ seconds, asks, askedAgain, disturbances }: ChaosReport): void {
  console.log(`${seconds.toFixed(1)} s, ${asks} asks, ${askedAgain} again; ${disturbances.join(', ')}`);
}
