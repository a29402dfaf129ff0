// One to ten nodes on one PostgreSQL: how much each adds, what PostgreSQL has to do with it, and a million addresses with a node
// killed and one added meanwhile. Promise: it ends with an error if a verdict or a credit differs from what the world's truth
// gives, or if the nodes have more connections than the guide says; the full size writes docs/guide/nodes.svg and its part of
// scaling.md, any other size only prints.
//   npm run bench:nodes [-- --small]
//
// Hosts allow each source address one connection and answer slowly: nodes wait for them, not for this machine's processors.
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { verifyLedger } from '../../server/src/store/verify-ledger.ts';
import { until } from '../../server/test/until.ts';
import { calibrate } from './calibrate.ts';
import { fillNodesPage, keepNodesFigures } from './nodes-page.ts';
import { watchSpan } from './nodes-probe.ts';
import { faultsOf, type NodesFigures, nodesTables, type Point } from './nodes-report.ts';
import { type NodesRig, startNodesRig } from './nodes-rig.ts';
import { createNodesWork, type NodesWork } from './nodes-work.ts';
import { peakMegabytesOf } from './process-cost.ts';
import { median, repeat } from './runner.ts';

/** A node begins gently with each host: until it is at its pace, a window would measure that. */
const SIZES = {
  full: { addresses: 1_000_000, nodes: [1, 2, 4, 8, 10], hosts: 24, settleSeconds: 30, windowSeconds: 30 },
  small: { addresses: 12_000, nodes: [1, 2], hosts: 16, settleSeconds: 6, windowSeconds: 6 },
} as const;
const REPLY_MS = 250;
const LISTS = 10;
const CURVE_ADDRESSES_PER_NODE = 40_000;
const ACCOUNTS = 3;
const LONGEST_LIST = 100_000;
const CREDITS = 10_000_000;
const IDLE_SECONDS = 10;
const SMALL_LIST = 100;
const SMALL_LISTS = 5;
const POLL_MS = 100;
const LOOK_MS = 1_000;
const PAGE = 10_000;
const ANSWER_LIMIT_MS = 120_000;
/** Of the million, when a node is killed. */
const KILL_AT = 0.35;
const ADD_AFTER_MS = 5_000;
/** Ten times what it takes on a slow machine. */
const MILLION_LIMIT_MS = 60 * 60_000;

interface Account {
  readonly id: number;
  readonly key: string;
}

interface PostedList {
  readonly id: number;
  readonly account: Account;
  readonly emails: readonly string[];
}

interface Size {
  readonly addresses: number;
  readonly nodes: readonly number[];
  readonly hosts: number;
  readonly settleSeconds: number;
  readonly windowSeconds: number;
}

const { values } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    addresses: { type: 'string' },
    nodes: { type: 'string' },
    hosts: { type: 'string' },
    settle: { type: 'string' },
    window: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const size = sizeOf(values);
/** The guide shows the million and ten nodes, unless it is told to show less. */
const isShown = values.write || !(values.small || values.addresses || values.nodes);
const log = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

function sizeOf(given: typeof values): Size {
  const usual = given.small ? SIZES.small : SIZES.full;
  const size = {
    addresses: Number(given.addresses ?? usual.addresses),
    nodes: given.nodes?.split(',').map(Number) ?? usual.nodes,
    hosts: Number(given.hosts ?? usual.hosts),
    settleSeconds: Number(given.settle ?? usual.settleSeconds),
    windowSeconds: Number(given.window ?? usual.windowSeconds),
  };
  const isFit = Object.values(size)
    .flat()
    .every((value) => Number.isInteger(value) && value > 0);
  const isRising = size.nodes.every((nodes, at) => nodes > (size.nodes[at - 1] ?? 0));
  if (isFit && isRising && size.addresses <= LISTS * LONGEST_LIST) return size;
  console.error(
    'usage: npm run bench:nodes -- [--small] [--addresses N] [--nodes 1,2,…] [--hosts N] [--settle SECONDS] [--window SECONDS] [--write]',
  );
  return process.exit(2);
}

async function ask(
  rig: NodesRig,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${rig.port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

async function post(rig: NodesRig, account: Account, emails: readonly string[]): Promise<PostedList> {
  const { id } = (await ask(rig, account.key, 'POST', '/v1/lists', { emails })) as { id: number };
  return { id, account, emails };
}

/** Ten lists of three accounts. */
async function postAll(
  rig: NodesRig,
  work: NodesWork,
  accounts: readonly Account[],
  addresses: number,
): Promise<PostedList[]> {
  return repeat(LISTS, (n) =>
    post(rig, accounts[n % accounts.length]!, work.list(Math.floor(addresses / LISTS))),
  );
}

function isDone(rig: NodesRig, { id, account }: PostedList): Promise<boolean> {
  return ask(rig, account.key, 'GET', `/v1/lists/${id}`).then(
    (list) => (list as { status: string }).status === 'done',
  );
}

/** Seconds from the first byte of the request until it is done. */
async function postToDone(rig: NodesRig, account: Account, emails: readonly string[]): Promise<number> {
  const startMs = performance.now();
  const list = await post(rig, account, emails);
  while (!(await isDone(rig, list))) await sleep(POLL_MS);
  return (performance.now() - startMs) / 1000;
}

function checkedSoFar(rig: NodesRig, lists: readonly PostedList[]): Promise<number> {
  return rig.db
    .query<{ checked: number }>(
      'SELECT sum(checked)::bigint AS checked FROM mxproof.lists WHERE id = ANY ($1)',
      [lists.map(({ id }) => id)],
    )
    .then(([row]) => row!.checked);
}

/** The same lists all the time, so that every window finds as much to do. */
async function measureCurve(rig: NodesRig, work: NodesWork): Promise<Point[]> {
  const accounts = await repeat(ACCOUNTS, (n) => rig.openAccount(`curve ${n}`, CREDITS));
  // A node claims up to 20,000: with fewer, those that come later would find nothing left.
  const enough = Math.max(size.addresses, size.nodes.at(-1)! * CURVE_ADDRESSES_PER_NODE);
  const lists = await postAll(rig, work, accounts, enough);
  const points: Point[] = [];
  for (const nodes of size.nodes) {
    while (rig.nodes.length < nodes) await rig.addNode();
    await sleep(size.settleSeconds * 1000);
    const span = await watchSpan(rig, sleep(size.windowSeconds * 1000));
    points.push({ nodes, span });
    log(
      `${nodes} nodes: ${Math.round(span.checked / span.seconds)}/s, PostgreSQL ${(span.cpu.postgres / span.seconds).toFixed(2)} cores, ${span.mail.recipients} recipients in ${span.mail.connections} sessions`,
    );
    const left = lists.length * lists[0]!.emails.length - (await checkedSoFar(rig, lists));
    if (left < span.checked / 2) throw new Error('too few addresses: the nodes ran out of work in a window');
  }
  for (const { id, account } of lists) await ask(rig, account.key, 'POST', `/v1/lists/${id}/cancel`);
  await until(async () => {
    const [row] = await rig.db.query<{ left: number }>('SELECT count(*) AS left FROM mxproof.jobs');
    return row!.left === 0;
  });
  return points;
}

/** With one node killed and one added; what is there at the end is compared with the model. */
async function runMillion(rig: NodesRig, work: NodesWork, small: Account): Promise<NodesFigures['million']> {
  const accounts = await repeat(ACCOUNTS, (n) => rig.openAccount(`million ${n}`, CREDITS));
  const startMs = performance.now();
  let lists: readonly PostedList[] = [];
  let addresses = 0;
  const beside: number[] = [];
  let takenOverSeconds = Number.NaN;
  let over = false;
  const sideShow = async () => {
    for (let n = 0; n < SMALL_LISTS && !over; n += 1)
      beside.push(await postToDone(rig, small, work.list(SMALL_LIST)));
  };
  const disturb = async () => {
    while ((await checkedSoFar(rig, lists)) < addresses * KILL_AT) await sleep(LOOK_MS);
    takenOverSeconds = await killOne(rig);
    await rig.addNode();
  };
  const finish = async () => {
    while ((await checkedSoFar(rig, lists)) < addresses || !(await allDone(rig, lists))) {
      if (performance.now() - startMs > MILLION_LIMIT_MS) throw new Error('the lists are not done');
      await sleep(LOOK_MS);
    }
    over = true;
  };
  const all = async () => {
    lists = await postAll(rig, work, accounts, size.addresses);
    addresses = lists.reduce((sum, { emails }) => sum + emails.length, 0);
    await Promise.all([finish(), sideShow(), disturb()]);
  };
  const span = await watchSpan(rig, all());
  const seconds = (performance.now() - startMs) / 1000;
  log(`${addresses} addresses in ${seconds.toFixed(0)} s`);
  const wrong = await compareResults(rig, work, lists);
  const money = await compareMoney(rig, work, accounts, lists);
  return {
    addresses,
    seconds,
    span,
    takenOverSeconds,
    besideSeconds: beside,
    memoryMegabytes: rig.nodes.map(({ pid }) => peakMegabytesOf(pid)),
    wrong,
    money,
  };
}

/** Seconds until none of its chunks is claimed by it any more. */
async function killOne(rig: NodesRig): Promise<number> {
  const victim = rig.nodes.at(-1)!;
  const [row] = await rig.db.query<{ id: string }>('SELECT id FROM mxproof.nodes WHERE $1 = ANY (sources)', [
    victim.source,
  ]);
  await rig.killNode(victim);
  const killedMs = performance.now();
  log(`killed the node of ${victim.source}`);
  const adding = sleep(ADD_AFTER_MS);
  await until(async () => {
    const [held] = await rig.db.query<{ count: number }>(
      'SELECT count(*) AS count FROM mxproof.jobs WHERE node_id = $1 AND is_claimed',
      [row!.id],
    );
    return held!.count === 0;
  });
  const seconds = (performance.now() - killedMs) / 1000;
  await adding;
  return seconds;
}

async function allDone(rig: NodesRig, lists: readonly PostedList[]): Promise<boolean> {
  for (const list of lists) if (!(await isDone(rig, list))) return false;
  return true;
}

/** Every result, as the API gives it, against the world's truth. */
async function compareResults(rig: NodesRig, work: NodesWork, lists: readonly PostedList[]): Promise<number> {
  let wrong = 0;
  for (const { id, account, emails } of lists) {
    const verdicts = work.verdictsOf(emails);
    let rows = 0;
    for (let offset = 0; offset < emails.length; offset += PAGE) {
      const path = `/v1/lists/${id}/results?offset=${offset}&limit=${PAGE}`;
      const { results } = (await ask(rig, account.key, 'GET', path)) as {
        results: { email: string; state: string; reason: string }[];
      };
      rows += results.length;
      for (const { email, state, reason } of results) {
        if (verdicts.get(email) === `${state}, ${reason}`) continue;
        wrong += 1;
        if (wrong <= 5) log(`wrong: ${email} is ${state}, ${reason}, not ${verdicts.get(email)}`);
      }
    }
    wrong += Math.abs(emails.length - rows);
  }
  return wrong;
}

/** What each account must have left: its credits, less one for each address that has a known verdict. */
async function compareMoney(
  rig: NodesRig,
  work: NodesWork,
  accounts: readonly Account[],
  lists: readonly PostedList[],
): Promise<NodesFigures['million']['money']> {
  let differences = 0;
  let paid = 0;
  let refunded = 0;
  for (const { id, key } of accounts) {
    const verdicts = lists
      .filter(({ account }) => account.id === id)
      .flatMap(({ emails }) => [...work.verdictsOf(emails).values()]);
    const unknown = verdicts.filter((verdict) => verdict.startsWith('unknown')).length;
    paid += verdicts.length - unknown;
    refunded += unknown;
    const { credits } = (await ask(rig, key, 'GET', '/v1/account')) as { credits: number };
    if (credits !== CREDITS - verdicts.length + unknown) differences += 1;
  }
  const ledger = await verifyLedger(rig.db);
  for (const { what, stored, recomputed } of ledger.differences)
    log(`ledger: ${what} is ${stored}, must be ${recomputed}`);
  return { paid, refunded, differences: differences + ledger.differences.length };
}

const before = await calibrate();
const work = createNodesWork({ hosts: size.hosts, replyMs: REPLY_MS });
const rig = await startNodesRig(work.spec, work.policy);
try {
  const small = await rig.openAccount('small', CREDITS);
  const idleOne = await watchSpan(rig, sleep(IDLE_SECONDS * 1000));
  const points = await measureCurve(rig, work);
  await sleep(size.settleSeconds * 1000);
  const idleAll = await watchSpan(rig, sleep(IDLE_SECONDS * 1000));
  const alone = await repeat(SMALL_LISTS, () => postToDone(rig, small, work.list(SMALL_LIST)));
  log(`a small list alone: ${median(alone).toFixed(1)} s`);
  const million = await runMillion(rig, work, small);
  const [setting] = await rig.probe.query<{ most: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most`,
  );
  const complaints = Object.groupBy(
    rig.nodes.flatMap(({ complaints }) => [...complaints]),
    ([message]) => message,
  );
  const figures: NodesFigures = {
    date: new Date().toISOString(),
    machine: { cpus: cpus().length, cpu: cpus()[0]?.model ?? 'unknown', node: process.version },
    before,
    after: await calibrate(),
    hosts: size.hosts,
    replyMs: REPLY_MS,
    connectionLimit: setting!.most,
    points,
    idle: [
      { nodes: 1, span: idleOne },
      { nodes: size.nodes.at(-1)!, span: idleAll },
    ],
    smallAloneSeconds: alone,
    million,
    complaints: Object.fromEntries(
      Object.entries(complaints).map(([message, all]) => [message, all!.reduce((sum, [, n]) => sum + n, 0)]),
    ),
  };
  console.log(nodesTables(figures));
  if (isShown) {
    keepNodesFigures(figures);
    fillNodesPage();
  }
  const faults = faultsOf(figures);
  for (const fault of faults) console.error(`FAILED: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await rig.stop();
}
