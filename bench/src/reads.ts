// Responses that need every row of a list of 100,000: filtered results and the breakdown, against ten pages of 10,000 read
// in the same round; and what they cost other requests. Promise: real results of a checked list; what is compared was
// measured alternately, so that noise of the machine falls on both sides.
import { spawnWorld } from '../../world/src/world-process.ts';
import { openConnection } from './http-connection.ts';
import { type Bench, median, repeat, row } from './runner.ts';
import { type ServiceRig, startServiceRig } from './service-rig.ts';
import { BEARING_LIMITS, createWorkload } from './workload.ts';

const ADDRESSES = 100_000;
const PAGE_ROWS = 10_000;
const DOMAINS = 200;
const POLICY = { refusalsPerConnection: 25, recipientsPerTransaction: 100, recipientsPerConnection: 100 };
/** One of the account's runs at a time; there is always one waiting. */
const BREAKDOWN_CONNECTIONS = 4;
const VERIFY_CLIENTS = 8;
const VERIFY_SECONDS = 5;
const BESIDE_ADDRESSES = 20_000;
const POLL_MS = 25;

const most = (value: number) => ({ at: 'most', value }) as const;

/** What is asked of a list, against ten pages of it. */
const QUESTIONS: readonly (readonly [words: string, query: string])[] = [
  ['filter 100,000 by state', 'results?state=undeliverable&limit=1000'],
  ['filter 100,000 by a piece of the address', 'results?q=99&limit=1000'],
  ['filter 100,000, a page of 10,000 rows', 'results?state=deliverable,undeliverable&limit=10000'],
  ['breakdown 100,000', 'breakdown'],
];

export const run: Bench = async ({ runs, log }) => {
  const workload = createWorkload({ addresses: ADDRESSES, domains: DOMAINS, limits: BEARING_LIMITS });
  const world = await spawnWorld({ spec: workload.spec }, { keepAsks: false });
  const rig = await startServiceRig(world, { policy: POLICY, accounts: 3 });
  try {
    const [reader, checker, submitter] = rig.keys as [string, string, string];
    const { id } = await postToDone(rig, reader, workload.emails);
    log('reads: a list of 100,000 is done');
    const rounds = await repeat(runs + 1, async () => {
      const pagesMs = await tenPages(rig, reader, id);
      const asked: number[] = [];
      for (const [, query] of QUESTIONS) asked.push(await get(rig, reader, `/v1/lists/${id}/${query}`));
      log(
        `reads: ten pages ${pagesMs.toFixed(0)} ms, then ${asked.map((ms) => ms.toFixed(0)).join(', ')} ms`,
      );
      return { pagesMs, asked };
    });
    const warm = rounds.slice(1);
    const rows = QUESTIONS.map(([words], n) =>
      row(
        `${words}, against ten pages`,
        '×',
        warm.map(({ pagesMs, asked }) => asked[n]! / pagesMs),
        most(1),
        `${median(warm.map(({ asked }) => asked[n]!)).toFixed(0)} ms`,
      ),
    );
    let round = 0;
    const verify = () => verifyP99(rig, checker, round++);
    const list = async () => (await postToDone(rig, submitter, fewer(workload.emails, round++))).seconds;
    const aloneAndBeside = (work: () => Promise<number>, name: string) =>
      repeat(runs, async (n) => {
        const besides = async () => {
          const busy = breakdowns(rig, reader, id);
          const figure = await work();
          log(`reads: ${name} beside ${await busy.stop()} breakdowns ${figure.toFixed(1)}`);
          return figure;
        };
        // Alternating, and each first equally often: an earlier request warms the service's caches.
        const first = n % 2 === 0 ? await work() : await besides();
        const second = n % 2 === 0 ? await besides() : await work();
        const [alone, beside] = n % 2 === 0 ? [first, second] : [second, first];
        log(`reads: ${name} alone ${alone.toFixed(1)}`);
        return { alone, beside };
      });
    await verify();
    const checks = await aloneAndBeside(verify, 'p99 of POST /verify');
    const lists = await aloneAndBeside(list, 'a list of 20,000');
    return [
      ...rows,
      row(
        'POST /verify p99, alone',
        'ms',
        checks.map(({ alone }) => alone),
      ),
      row(
        'POST /verify p99 beside breakdowns, against alone',
        '×',
        checks.map(({ alone, beside }) => beside / alone),
        most(2),
        `${median(checks.map(({ beside }) => beside)).toFixed(0)} ms`,
      ),
      row(
        'a list of 20,000, alone',
        's',
        lists.map(({ alone }) => alone),
      ),
      row(
        'a list of 20,000 beside breakdowns, against alone',
        '×',
        lists.map(({ alone, beside }) => beside / alone),
        most(1.5),
      ),
    ];
  } finally {
    await rig.stop();
    await world.close();
  }
};

/** Other addresses each time: what was asked before is known. */
function fewer(emails: readonly string[], round: number): string[] {
  return emails.slice(0, BESIDE_ADDRESSES).map((email) => `r${round}.${email}`);
}

async function get(rig: ServiceRig, key: string, path: string): Promise<number> {
  const connection = await openConnection(rig.port, key);
  const { status, ms } = await connection.ask('GET', path);
  connection.close();
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
  return ms;
}

async function tenPages(rig: ServiceRig, key: string, id: number): Promise<number> {
  let ms = 0;
  for (let offset = 0; offset < ADDRESSES; offset += PAGE_ROWS)
    ms += await get(rig, key, `/v1/lists/${id}/results?offset=${offset}&limit=${PAGE_ROWS}`);
  return ms;
}

/** One after the other on each connection, until stopped; returns how many there were. */
function breakdowns(rig: ServiceRig, key: string, id: number): { stop(): Promise<number> } {
  let isOver = false;
  let made = 0;
  const connections = Array.from({ length: BREAKDOWN_CONNECTIONS }, async () => {
    for (; !isOver; made++) await get(rig, key, `/v1/lists/${id}/breakdown`);
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(connections);
      return made;
    },
  };
}

async function verifyP99(rig: ServiceRig, key: string, round: number): Promise<number> {
  const times: number[] = [];
  const endMs = performance.now() + VERIFY_SECONDS * 1000;
  await Promise.all(
    Array.from({ length: VERIFY_CLIENTS }, async (_, client) => {
      const connection = await openConnection(rig.port, key);
      for (let turn = 0; performance.now() < endMs; turn++) {
        const email = `v${round}.${client}.${turn}@d${(client * 17 + turn) % (DOMAINS - 5)}.example`;
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
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}

async function postToDone(
  rig: ServiceRig,
  key: string,
  emails: readonly string[],
): Promise<{ id: number; seconds: number }> {
  const connection = await openConnection(rig.port, key);
  const startMs = performance.now();
  const posted = await connection.ask('POST', '/v1/lists', Buffer.from(JSON.stringify({ emails })));
  if (posted.status !== 201) throw new Error(`POST /v1/lists answered ${posted.status}`);
  const { id } = JSON.parse(posted.body.toString()) as { id: number };
  for (;;) {
    const { body } = await connection.ask('GET', `/v1/lists/${id}`);
    const { status } = JSON.parse(body.toString()) as { status: string };
    if (status === 'done') break;
    if (status === 'failed') throw new Error('the list failed');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  connection.close();
  return { id, seconds: (performance.now() - startMs) / 1000 };
}
