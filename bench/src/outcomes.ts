// What outcomes cost: a list of 100,000 of an account that has them on, beside one that has not, in pairs that take turns; and what
// estimates cost where a list is read.
import { spawnWorld } from '../../world/src/world-process.ts';
import { openConnection } from './http-connection.ts';
import { type Bench, row } from './runner.ts';
import { BEARING_POLICY, postToDone } from './service.ts';
import { type ServiceRig, startServiceRig } from './service-rig.ts';
import { BEARING_LIMITS, createWorkload } from './workload.ts';

const ADDRESSES = 100_000;
const DOMAINS = 200;
const OUTCOMES_AT_ONCE = 10_000;
const PAGE_ROWS = 10_000;
/** Of the time that a list takes without outcomes. */
const MOST_TIME = 1.1;
const MOST_CPU = 1.2;
const MOST_READING = 1.5;

export const run: Bench = async ({ runs, log }) => {
  const workload = createWorkload({ addresses: ADDRESSES, domains: DOMAINS, limits: BEARING_LIMITS });
  const world = await spawnWorld({ spec: workload.spec }, { keepAsks: false });
  const rig = await startServiceRig(world, { accounts: 2, policy: BEARING_POLICY });
  try {
    const [on, off] = rig.keys as [string, string];
    await ask(rig, on, 'PATCH', '/v1/account', { outcomes: true });
    const measure = async (key: string) => {
      const before = rig.cpuSeconds();
      const seconds = await postToDone(rig, workload.emails, key);
      return { seconds, cpu: rig.cpuSeconds() - before };
    };
    const [times, cpus]: [number[], number[]] = [[], []];
    // The first round meets every domain for the first time.
    for (let round = 0; round <= runs; round++) {
      const first = await measure(round % 2 === 0 ? on : off);
      const second = await measure(round % 2 === 0 ? off : on);
      const [with_, without] = round % 2 === 0 ? [first, second] : [second, first];
      log(
        `list of ${ADDRESSES}: ${with_.seconds.toFixed(2)} s with outcomes, ${without.seconds.toFixed(2)} s without`,
      );
      if (round === 0) continue;
      times.push(with_.seconds / without.seconds);
      cpus.push(with_.cpu / without.cpu);
    }
    const reading = await readings(rig, on, workload.emails, runs, log);
    const name = 'a list of 100,000 with outcomes on, of what it is with them off';
    return [
      row(`${name}: time`, '×', times, { at: 'most', value: MOST_TIME }),
      row(`${name}: CPU time of the service`, '×', cpus, { at: 'most', value: MOST_CPU }),
      row('reading 100,000 rows with estimates, of what it is without', '×', reading, {
        at: 'most',
        value: MOST_READING,
      }),
    ];
  } finally {
    await rig.stop();
    await world.close();
  }
};

async function readings(
  rig: ServiceRig,
  key: string,
  emails: readonly string[],
  runs: number,
  log: (line: string) => void,
): Promise<number[]> {
  for (let from = 0; from < emails.length; from += OUTCOMES_AT_ONCE) {
    const outcomes = emails
      .slice(from, from + OUTCOMES_AT_ONCE)
      .map((email, at) =>
        at % 10 === 0
          ? { email, outcome: 'bounced', reply: `550 5.1.1 <${email}>: User unknown` }
          : { email, outcome: 'delivered' },
      );
    const startMs = performance.now();
    await ask(rig, key, 'POST', '/v1/outcomes', { outcomes });
    log(`${OUTCOMES_AT_ONCE} outcomes: ${(performance.now() - startMs).toFixed(0)} ms`);
  }
  const { lists } = (await ask(rig, key, 'GET', '/v1/lists?limit=1')) as { lists: { id: number }[] };
  const read = async (include: string) => {
    const startMs = performance.now();
    for (let offset = 0; offset < emails.length; offset += PAGE_ROWS)
      await ask(
        rig,
        key,
        'GET',
        `/v1/lists/${lists[0]!.id}/results?offset=${offset}&limit=${PAGE_ROWS}${include}`,
      );
    return performance.now() - startMs;
  };
  const shares: number[] = [];
  for (let round = 0; round <= runs; round++) {
    const first = await read(round % 2 === 0 ? '&include=estimate' : '');
    const second = await read(round % 2 === 0 ? '' : '&include=estimate');
    const [with_, without] = round % 2 === 0 ? [first, second] : [second, first];
    log(`100,000 rows: ${with_.toFixed(0)} ms with estimates, ${without.toFixed(0)} ms without`);
    if (round > 0) shares.push(with_ / without);
  }
  return shares;
}

async function ask(
  rig: ServiceRig,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const connection = await openConnection(rig.port, key);
  const answer = await connection.ask(method, path, body && Buffer.from(JSON.stringify(body)));
  connection.close();
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}`);
  return JSON.parse(answer.body.toString());
}
