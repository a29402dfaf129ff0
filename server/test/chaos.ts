// Lists checked while things are killed. Promise: a seed reproduces the schedule; at the end of every run the list is
// done, every row final and true, the counters equal to the rows, the credits exact, one callback delivered, and no
// address was asked more often than what was done to the nodes explains.

import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../world/src/random.ts';
import type { WorldSpec } from '../../world/src/spec.ts';
import { readPage } from '../src/flow/read-results.ts';
import { submitList } from '../src/flow/submit-list.ts';
import { verifyLedger } from '../src/store/verify-ledger.ts';
import type { Child } from './child.ts';
import { atOnce, sameRows } from './reading.ts';
import { type Rig, startRig } from './rig.ts';
import { submission } from './submission.ts';
import { until } from './until.ts';

const DOMAINS = 12;
const REPLY_DELAY_MS = 30;
const GREYLIST_SHARE = 0.02;
/** A greylisted address is deferred, then accepted; a node that is new to its domain may have to come back for more. */
const GREYLISTED_ASKS = 5;
const DONE_LIMIT_MS = 240_000;
const PAGE = 10_000;

export interface Chaos {
  readonly rig: Rig;
  /** Whole numbers and moments from the seed. */
  between(least: number, most: number): number;
  /** A disturbance after which what was in flight may have to be asked again. */
  explain(what: string): void;
  readonly total: number;
  /** How many addresses of the list are final. */
  checked(): Promise<number>;
}

export interface ChaosReport {
  readonly seed: number;
  readonly seconds: number;
  readonly asks: number;
  readonly askedAgain: number;
  readonly disturbances: readonly string[];
}

export type Scenario = (chaos: Chaos, nodes: Child[]) => Promise<void>;

/** Hosts as slow as real ones, a few of them greylisting. */
function worldOf(replyDelayMs: number): WorldSpec {
  const host = { replyDelayMs };
  const domains: Record<string, WorldSpec['domains'][string]> = {};
  for (let index = 0; index < DOMAINS; index++)
    domains[`d${index}.example`] = { host, mailboxes: { share: 0.8 } };
  domains['grey.example'] = { host: { ...host, greylist: { delayMs: 500 } }, mailboxes: { share: 0.8 } };
  domains['down.example'] = { host: { down: true }, mailboxes: { share: 1 } };
  return { domains };
}

function emailsOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    if (index % 1_000 === 7) return `p${index}@down.example`;
    if (index % Math.round(1 / GREYLIST_SHARE) === 3) return `p${index}@grey.example`;
    return `p${index}@d${index % DOMAINS}.example`;
  });
}

export async function runChaos(options: {
  readonly seed: number;
  readonly addresses: number;
  readonly nodes: number;
  readonly scenario: Scenario;
  /** Slower hosts make room for more to happen. */
  readonly replyDelayMs?: number;
}): Promise<ChaosReport> {
  const random = createRandom(options.seed);
  const rig = await startRig(worldOf(options.replyDelayMs ?? REPLY_DELAY_MS), options.seed);
  const startedMs = performance.now();
  try {
    const emails = emailsOf(options.addresses);
    const nodes: Child[] = [];
    for (let n = 0; n < options.nodes; n++) nodes.push(await rig.node());
    const submitted = await submitList(
      rig.context,
      submission(rig.account.accountId, emails, { callbackUrl: rig.callbackUrl }),
    );
    if (submitted.kind !== 'created') throw new Error(submitted.kind);
    const listId = submitted.list.id;
    const disturbances: string[] = [];
    const read = () => until(() => readList(rig, listId));
    await options.scenario(
      {
        rig,
        total: emails.length,
        between: (least, most) => random.between(least, most),
        explain: (what) => disturbances.push(what),
        checked: async () => (await read()).checked,
      },
      nodes,
    );
    const deadline = performance.now() + DONE_LIMIT_MS;
    for (;;) {
      const list = await read();
      if (list.status === 'done') break;
      if (list.status !== 'checking' && list.status !== 'processing')
        throw new Error(`list ${list.status}: ${list.failure}`);
      if (performance.now() > deadline)
        throw new Error(`not done in time: ${list.checked} of ${list.total}\n${logOf(nodes)}`);
      await sleep(100);
    }
    // What is killed with its node is no death that counts against a chunk.
    if (logOf(nodes, Number.POSITIVE_INFINITY).includes('DiedAlone'))
      throw new Error(`a process of a chunk's own died\n${logOf(nodes)}`);
    const asked = await verify(rig, listId, emails, disturbances.length);
    return { seed: options.seed, seconds: (performance.now() - startedMs) / 1000, ...asked, disturbances };
  } finally {
    await rig.close();
  }
}

type ListRow = {
  status: string;
  failure: string | null;
  total: number;
  checked: number;
  deliverable: number;
  risky: number;
  undeliverable: number;
  unknown: number;
};

async function readList(rig: Rig, listId: number): Promise<ListRow> {
  const [list] = await rig.context.db.query<ListRow>('SELECT * FROM mxproof.lists WHERE id = $1', [listId]);
  if (!list) throw new Error('the list is gone');
  return list;
}

async function verify(
  rig: Rig,
  listId: number,
  emails: readonly string[],
  disturbances: number,
): Promise<{ asks: number; askedAgain: number }> {
  const { db } = rig.context;
  const wrong: string[] = [];
  const complain = (what: string) => {
    if (wrong.length < 20) wrong.push(what);
  };
  const list = await readList(rig, listId);
  const counts = { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
  let place = 0;
  for (let offset = 0; offset < emails.length; offset += PAGE)
    for await (const rows of readPage(
      db,
      atOnce,
      { id: listId, total: emails.length },
      { offset, limit: PAGE },
      sameRows,
    ))
      for (const { email, verdict } of rows) {
        if (email !== emails[place++]) complain(`row ${place} is ${email}`);
        if (!verdict) complain(`${email} is pending`);
        else {
          counts[verdict.state]++;
          const truth = rig.world.truth(email);
          // A node that is new to a greylisting domain must learn anew whether it takes everything, and may run out of
          // tries while nodes come and go: then the answer is the careful one.
          const isCareful = isGreylisted(email) && verdict.reason === 'low_deliverability';
          if (verdict.state !== truth.state && !isCareful)
            complain(`${email} is ${verdict.state}, in truth ${truth.state}`);
        }
      }
  if (place !== emails.length) complain(`${place} rows of ${emails.length}`);
  for (const state of ['deliverable', 'risky', 'undeliverable', 'unknown'] as const)
    if (list[state] !== counts[state]) complain(`${state}: ${list[state]} counted, ${counts[state]} rows`);
  for (const difference of (await verifyLedger(db)).differences) complain(JSON.stringify(difference));
  const [account] = await db.query<{ credits: number; used: number }>(
    'SELECT credits, used FROM mxproof.accounts WHERE id = $1',
    [rig.account.accountId],
  );
  if (account!.used !== emails.length - counts.unknown) complain(`used ${account!.used}`);
  await until(async () => {
    const [callback] = await db.query<{ state: string }>(
      'SELECT state FROM mxproof.callbacks WHERE list_id = $1',
      [listId],
    );
    if (callback?.state !== 'delivered') throw new Error(`the callback is ${callback?.state}`);
  });
  const [body] = rig.receiver.received;
  const summary = JSON.parse(String(body?.body)) as { list: { checked: number; counts: typeof counts } };
  if (summary.list.checked !== emails.length) complain(`the callback says ${summary.list.checked} checked`);
  // A node killed between the receiver's answer and its own note of it delivers once more; never more than that.
  if (rig.receiver.received.length > 1 + disturbances) complain(`${rig.receiver.received.length} callbacks`);
  let asks = 0;
  let askedAgain = 0;
  for (const email of emails) {
    const times = rig.world.seen.asks.get(email)?.length ?? 0;
    const usual = isGreylisted(email) ? GREYLISTED_ASKS : 1;
    asks += times;
    askedAgain += Math.max(0, times - usual);
    if (times > usual * (1 + disturbances))
      complain(`${email} was asked ${times} times after ${disturbances} disturbances`);
  }
  if (wrong.length > 0) throw new Error(`after the chaos:\n${wrong.join('\n')}`);
  return { asks, askedAgain };
}

const isGreylisted = (email: string) => email.endsWith('@grey.example');

function logOf(nodes: readonly Child[], lines = 30): string {
  return nodes.map((node, index) => `node ${index}:\n${node.lines.slice(-lines).join('\n')}`).join('\n');
}
