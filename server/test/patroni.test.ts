// The service on PostgreSQL under Patroni with etcd: the primary's machine dies in the middle of lists, loses its network, and hands
// over by hand. One node names the three hosts in DATABASE_URL, the other goes through HAProxy. Prints how long each had no answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../src/store/database.ts';
import { type FailoverRig, type FrontNode, ledgerDifferences, startFailoverRig } from './failover-rig.ts';
import { hasPatroni, type Machine, type Patroni, startPatroni } from './patroni.ts';
import { until } from './until.ts';

const ASK_EVERY_MS = 250;
/** Longer than any pause that is worth reporting. */
const WITHOUT_ANSWER_MS = 1_000;

let cluster: Patroni;
let rig: FailoverRig;
/** By how they reach the database. */
let nodes: ReadonlyMap<string, FrontNode>;
let witness: Witness;
const answered: number[] = [];

beforeAll(async () => {
  if (!hasPatroni) return;
  cluster = await startPatroni();
  rig = await startFailoverRig(cluster.proxyUrl);
  nodes = new Map([
    ['hosts', await rig.serve(cluster.hostsUrl)],
    ['haproxy', await rig.serve(cluster.proxyUrl)],
  ]);
  witness = await startWitness(cluster.proxyUrl);
});
afterAll(async () => {
  await witness?.stop();
  await rig?.close();
  cluster?.stop();
});

interface Witness {
  /** Every row that was acknowledged and is not there any more. */
  missing(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/** Writes a row at a time and remembers those that were acknowledged. */
async function startWitness(url: string): Promise<Witness> {
  const db = openDatabase({ url, poolSize: 2, onError: () => {}, answerTimeoutMs: 5_000 });
  await db.query('CREATE TABLE witness (n int PRIMARY KEY, by text NOT NULL)');
  const acknowledged: number[] = [];
  let isOver = false;
  const writing = (async () => {
    for (let n = 1; !isOver; n++) {
      await db.query("INSERT INTO witness VALUES ($1, 'client')", [n]).then(
        () => acknowledged.push(n),
        () => {},
      );
      await sleep(20);
    }
  })();
  return {
    async missing() {
      const seen = [...acknowledged];
      const rows = await db.query<{ n: number }>("SELECT n FROM witness WHERE by = 'client'");
      const there = new Set(rows.map(({ n }) => n));
      expect(seen.length).toBeGreaterThan(0);
      return seen.filter((n) => !there.has(n));
    },
    async stop() {
      isOver = true;
      await writing;
      await db.close();
    },
  };
}

/** Lists are under way on both nodes when `what` happens, which is over when both take changes again. */
async function scene(title: string, what: () => unknown, after: () => unknown = () => {}): Promise<void> {
  const before = (await cluster.primary()).name;
  const lists = await Promise.all([...nodes.values()].map((node) => node.submitted()));
  answered.push(...lists);
  await until(async () => (await nodes.get('hosts')!.call(`/v1/lists/${lists[0]}`)).json.checked > 0);
  const beganMs = performance.now();
  const told = (ms: number) => `${((ms - beganMs) / 1_000).toFixed(1)} s`;
  const gaps = [...nodes].map(([name, node]) => longestPause(name, node, lists[0]!));
  await sleep(WITHOUT_ANSWER_MS);
  await what();
  const primary = await until(async () => {
    const found = await cluster.primary();
    if (found.name === before) throw new Error('the old primary still leads');
    return found;
  });
  const promoted = told(performance.now());
  await after();
  const pauses = await Promise.all(gaps.map((gap) => gap.end()));
  console.info(
    `${title}: ${before} → ${primary.name} after ${promoted}; without an answer: ${pauses.join(', ')}`,
  );
  answered.push(...(await Promise.all([...nodes.values()].map((node) => node.submitted()))));
  for (const node of nodes.values()) await rig.settled(node, answered);
  await until(async () => (await rig.callbacks()).size === answered.length);
  expect(await witness.missing()).toEqual([]);
  expect(await ledgerDifferences(cluster.proxyUrl)).toEqual([]);
}

/** Changes one name again and again: the longest time between two changes that were answered. */
function longestPause(name: string, node: FrontNode, list: number) {
  let longestMs = 0;
  let lastMs = performance.now();
  let isOver = false;
  const asking = (async () => {
    let isAnswered = true;
    while (!isOver || !isAnswered) {
      const status = await node.call(`/v1/lists/${list}`, { name: 'again' }, 'PATCH').then(
        (answer) => answer.status,
        () => 0,
      );
      isAnswered = status === 200;
      if (isAnswered) {
        longestMs = Math.max(longestMs, performance.now() - lastMs);
        lastMs = performance.now();
      }
      await sleep(ASK_EVERY_MS);
    }
  })();
  return {
    async end() {
      // A connection that broke silently is noticed at its next use only.
      await sleep(2 * WITHOUT_ANSWER_MS);
      isOver = true;
      await asking;
      return `${name} ${(longestMs / 1_000).toFixed(1)} s`;
    },
  };
}

/** Both standbys follow, and commits wait for one of them. */
const isWhole = () =>
  until(async () => {
    const { running, synchronous } = await cluster.standbys();
    return running === 2 && synchronous === 1;
  });

test.runIf(hasPatroni)('the machine of the primary dies in the middle of lists: no row is lost', async () => {
  const dead = await cluster.primary();
  await scene('killed', () => dead.kill());
  dead.start();
  await isWhole();
});

test.runIf(hasPatroni)(
  'the network of the primary is cut: it writes nothing once another has taken over',
  async () => {
    const old: Machine = await cluster.primary();
    let begun = 0;
    /** On the machine that is cut off, by a client of its own. */
    const tryToWrite = () =>
      old.psql(`INSERT INTO witness VALUES (${1_000_000 + begun++}, 'cut off')`).status === 0;
    await scene(
      'cut off',
      () => old.cut(),
      () => {
        for (let attempt = 0; attempt < 5; attempt++) expect(tryToWrite()).toBe(false);
        expect(begun).toBe(5);
        old.heal();
      },
    );
    await isWhole();
    const db = openDatabase({ url: cluster.proxyUrl, poolSize: 1, onError: () => {} });
    expect(await db.query("SELECT n FROM witness WHERE by = 'cut off'")).toEqual([]);
    await db.close();
    // The one that was cut off follows again, without what it may have written.
    expect(old.psql('SELECT pg_is_in_recovery()').stdout.trim()).toBe('t');
    expect(old.psql("SELECT count(*) FROM witness WHERE by = 'cut off'").stdout.trim()).toBe('0');
  },
);

test.runIf(hasPatroni)('a switchover by hand: the nodes follow', async () => {
  await scene('switched over', () => cluster.switchOver());
  await isWhole();
});
