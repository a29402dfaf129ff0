// A random walk over everything that operators may do, beside lists that run on two nodes: whatever comes in whichever order, the
// money is exact, and the trail has one row for each thing that was done. `npm run test:long` walks for five minutes.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../../world/src/random.ts';
import { createContext } from '../src/flow/context.ts';
import { grantMonths } from '../src/flow/grant-months.ts';
import { openDatabase } from '../src/store/database.ts';
import { createJobs } from '../src/store/jobs.ts';
import { verifyLedger } from '../src/store/verify-ledger.ts';
import { startNode } from '../src/worker/node.ts';
import { startNotifications } from '../src/worker/notifications.ts';
import { type AdminClient, adminOf } from './admin-service.ts';
import { createFakeChecker } from './fake-checker.ts';
import { startService, type TestResponse, type TestService } from './http-service.ts';
import { quiet } from './service.ts';

const IS_LONG = process.env.MXPROOF_LONG_FAULTS === '1';
const SECONDS = IS_LONG ? 300 : 15;
const SEED = Number(process.env.MXPROOF_WALK_SEED ?? Math.floor(Math.random() * 1e9));
const WALKERS = 4;
const MOST_ACCOUNTS = 8;

let service: TestService;
let admin: AdminClient;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  service = await startService();
  admin = await adminOf(service);
  // The machine's own address has asked.
  await service.context.db.query(
    `INSERT INTO mxproof.source_states (source, provider, refused_at, refusal_kind, refusal_reply)
     VALUES ('', 'google', now(), 'block', 'no')`,
  );
  for (let nodes = 0; nodes < 2; nodes++) await startOwnNode();
});
afterAll(async () => {
  for (const close of closers) await close();
  await service.close();
});

async function startOwnNode(): Promise<void> {
  const db = openDatabase({ url: service.databaseUrl, poolSize: 8, onError: () => {} });
  const context = createContext(db, createJobs(db, { safetyNetSeconds: 60 }), service.box);
  const notifications = startNotifications(db, quiet);
  const checker = createFakeChecker({ replyMs: 20 });
  const node = startNode({
    ...{ context, checker, sources: [], keepEvidence: false },
    ...{ log: quiet, notifications },
  });
  closers.push(async () => {
    await node.stop();
    await notifications.stop();
    await db.close();
  });
}

interface Owned {
  readonly id: number;
  readonly key: string;
  /** What the walk has added, less what it has taken back. */
  granted: number;
  /** It may be deleted by another walker meanwhile. */
  isGone: boolean;
  readonly keys: number[];
  readonly lists: number[];
}

/** What was answered with success and changes something, by the action that the trail has for it. */
const done = new Map<string, number>();
const accounts: Owned[] = [];
const noted = (action: string) => void done.set(action, (done.get(action) ?? 0) + 1);

/** Sent twice, now and then, as a client whose connection broke would: the second answer is the first. */
async function post(random: Random, path: string, body?: object): Promise<TestResponse> {
  const headers = { 'idempotency-key': `${random.next()}` };
  const send = () => admin.call('POST', path, { headers, ...(body && { body }) });
  if (!random.chance(0.2)) return send();
  const [first, second] = random.chance(0.5)
    ? await Promise.all([send(), send()])
    : [await send(), await send()];
  if (first.status < 300) expect([second.status, second.text]).toEqual([first.status, first.text]);
  return first;
}

const isDone = ({ status }: TestResponse) => {
  expect([200, 201, 202, 404, 409]).toContain(status);
  return status < 300;
};

/** One thing that an operator or an owner does. */
type Step = (random: Random, account: Owned) => Promise<void>;

async function open(random: Random): Promise<void> {
  const credits = random.between(0, 2_000);
  const made = await post(random, '/accounts', { name: `walk ${random.next()}`, credits });
  expect(made.status).toBe(201);
  noted('account.created');
  accounts.push({ ...{ id: made.json.id, key: made.json.api_key }, granted: credits, ...none() });
}

const none = () => ({ isGone: false, keys: [] as number[], lists: [] as number[] });

async function act(action: string, answer: Promise<TestResponse>): Promise<TestResponse | null> {
  const answered = await answer;
  if (!isDone(answered)) return null;
  noted(action);
  return answered;
}

const STEPS: readonly (readonly [weight: number, step: Step])[] = [
  [
    6,
    async (random, account) => {
      const credits = random.between(1, 500) * (random.chance(0.4) ? -1 : 1);
      const path = `/accounts/${account.id}/credits`;
      if (await act('credits.changed', post(random, path, { credits }))) account.granted += credits;
    },
  ],
  [
    2,
    async (random, account) => {
      const status = random.pick(['active', 'suspended']);
      const rate = { rate_requests: random.between(1_000_000, 2_000_000) };
      await act(
        'account.changed',
        admin.call('PATCH', `/accounts/${account.id}`, { body: { status, ...rate } }),
      );
    },
  ],
  [
    2,
    async (random, account) => {
      // Never twice the same, so that each is a row.
      const monthly = { monthly_credits: random.between(1, 1e9) };
      const texts = { name: `walk ${random.next()}`, external_id: random.pick([null, 'a', 'b']) };
      const kept = {
        retention: { results: random.pick([null, 30]) },
        mail: random.pick([null, 'a@example.com']),
      };
      const body = random.pick([monthly, { ...monthly, ...texts, ...kept }]);
      await act('account.changed', admin.call('PATCH', `/accounts/${account.id}`, { body }));
    },
  ],
  [
    2,
    async (random, account) => {
      const made = await act('key.created', post(random, `/accounts/${account.id}/keys`, { label: 'walk' }));
      if (made) account.keys.push(made.json.id);
    },
  ],
  [
    1,
    async (_random, account) => {
      const key = account.keys.pop();
      if (key !== undefined)
        await act('key.revoked', admin.call('DELETE', `/accounts/${account.id}/keys/${key}`));
    },
  ],
  [1, async (random, { id }) => void (await act('link.created', post(random, `/accounts/${id}/link`)))],
  [1, async (random, { id }) => void (await act('sessions.ended', post(random, `/accounts/${id}/sign-out`)))],
  [
    1,
    async (random, { id }) =>
      void (await act('webhook_secret.replaced', post(random, `/accounts/${id}/webhook-secret`))),
  ],
  [
    8,
    async (random, account) => {
      // Of some every address is answered at once.
      const kinds = random.pick([
        ['ok', 'no'],
        ['ok', 'no', 'unknown', 'mute', 'wait'],
      ]);
      const emails = Array.from(
        { length: random.between(1, 300) },
        (_, n) => `${random.pick(kinds)}${n}@example.com`,
      );
      const callback = random.chance(0.5) ? { callback_url: 'https://hooks.example/in' } : {};
      const body = { emails, ...callback };
      const made = await service.call('POST', '/v1/lists', { key: account.key, body });
      expect([201, 401, 402, 403]).toContain(made.status);
      if (made.status === 201) account.lists.push(made.json.id);
    },
  ],
  [
    2,
    async (random, account) => {
      const list = account.lists.at(-1);
      if (list !== undefined) await act('list.cancelled', post(random, `/lists/${list}/cancel`));
    },
  ],
  [
    1,
    async (_random, account) => {
      const list = account.lists.shift();
      if (list === undefined) return;
      const deleted = await service.call('DELETE', `/v1/lists/${list}`, { key: account.key });
      if (deleted.status === 200) noted('list.deleted');
    },
  ],
  [
    1,
    async (_random, account) => {
      if (accounts.filter(({ isGone }) => !isGone).length < 3) return;
      account.isGone = true;
      await act('account.deleted', admin.call('DELETE', `/accounts/${account.id}`));
    },
  ],
  [
    2,
    async (random, account) => {
      const list = account.lists.length > 0 ? random.pick(account.lists) : null;
      if (list === null) return;
      // Nothing sends them here: some have failed.
      await service.context.db.query(
        `UPDATE mxproof.callbacks SET state = 'failed', next_attempt_at = NULL WHERE list_id = $1`,
        [list],
      );
      await act('callback.resent', post(random, `/callbacks/${list}/resend`));
    },
  ],
  [
    1,
    async (random) => {
      const [verb, action] = random.pick([
        ['rest', 'source.rested'],
        ['resume', 'source.resumed'],
      ] as const);
      await act(action, post(random, `/sources/own/${verb}`, { provider: random.pick(['google', 'yahoo']) }));
    },
  ],
  [1, async (random) => void (await act('doctor.run', post(random, '/doctor/run')))],
  [
    3,
    async (random, { id, lists }) => {
      const path = random.pick([
        ...['/overview', '/lists?stuck=true', '/callbacks?state=failed', '/nodes', '/sources', '/doctor'],
        ...['/audit?limit=5', '/accounts?q=walk', '/ledger/verify'],
        ...['', '/keys', '/members'].map((part) => `/accounts/${id}${part}`),
        `/lists/${lists[0] ?? 1}/waiting`,
      ]);
      const { status, json } = await admin.call('GET', path);
      // Another walker deletes what this one asks for.
      expect([200, 404]).toContain(status);
      if (path === '/ledger/verify') expect(json.differences).toEqual([]);
    },
  ],
];
const WEIGHTED = STEPS.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));

test(`${SECONDS} seconds of everything that operators do, seed ${SEED}`, {
  timeout: (SECONDS + 120) * 1_000,
}, async () => {
  const untilMs = Date.now() + SECONDS * 1_000;
  let steps = 0;
  async function walk(random: Random): Promise<void> {
    while (Date.now() < untilMs) {
      const there = accounts.filter(({ isGone }) => !isGone);
      if (there.length < MOST_ACCOUNTS && random.chance(0.1)) await open(random);
      else if (there.length > 0) await random.pick(WEIGHTED)(random, random.pick(there));
      steps += 1;
    }
  }
  async function verify(): Promise<void> {
    while (Date.now() < untilMs) {
      expect((await verifyLedger(service.context.db)).differences).toEqual([]);
      await sleep(500);
    }
  }
  await Promise.all([
    verify(),
    ...Array.from({ length: WALKERS }, (_, walker) => walk(createRandom(SEED + walker))),
  ]);
  expect(steps).toBeGreaterThan(SECONDS);
  if (IS_LONG)
    process.stdout.write(`${steps} steps, ${JSON.stringify(Object.fromEntries([...done].sort()))}\n`);

  const { db } = service.context;
  const rows = await db.query<{ action: string; count: number }>(
    `SELECT action, count(*) AS count FROM mxproof.audit
       WHERE account_id IS DISTINCT FROM $1 AND action <> 'admin_key.created' GROUP BY 1`,
    [service.account.accountId],
  );
  expect(Object.fromEntries(rows.map(({ action, count }) => [action, count]).sort())).toEqual(
    Object.fromEntries([...done].sort()),
  );
  // A month begins, for accounts that are there: once, though both nodes see it.
  const monthly = new Map(
    (
      await db.query<{ id: number; credits: number }>(
        `SELECT id, monthly_credits AS credits FROM mxproof.accounts
           WHERE monthly_credits IS NOT NULL AND suspended_at IS NULL`,
      )
    ).map(({ id, credits }) => [id, credits]),
  );
  const [next] = await db.query<{ at: Date }>(
    "SELECT date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + interval '1 month 1 hour' AS at",
  );
  const months = () => Promise.all(accounts.map(({ id }) => grantMonths(db, id, next!.at)));
  await Promise.all([months(), months()]);
  expect((await verifyLedger(db)).differences).toEqual([]);
  const balances = await db.query<{ id: number; sum: number }>(
    'SELECT id, credits + used AS sum FROM mxproof.accounts WHERE id = ANY($1)',
    [accounts.map(({ id }) => id)],
  );
  const expected = accounts.map(({ id, granted }) => [id, granted + (monthly.get(id) ?? 0)] as const);
  expect(new Map(balances.map(({ id, sum }) => [id, sum]))).toEqual(new Map(expected));
});
