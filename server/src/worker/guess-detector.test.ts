// Guessed addresses, split over lists and nodes: real engines on a real PostgreSQL, against the simulated internet.

import { type Checker, createChecker, parsePolicy } from '@mxproof/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../../../world/src/index.ts';
import { quiet, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { accepted } from '../../test/verdicts.ts';
import { deleteList } from '../flow/delete-list.ts';
import { recordFindings } from '../flow/record-findings.ts';
import { verifyOne } from '../flow/verify-one.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { singleResults } from '../rules/chunk-results.ts';
import { askedBefore, sweepAskedDomains } from '../store/asked-domains.ts';
import { finishSingles } from '../store/singles.ts';
import { startNotifications } from './notifications.ts';
import { createSingleChecks } from './single-checks.ts';

/** Stands for the 500 of the default policy. */
const JUDGED_AFTER = 100;
const LIST = JUDGED_AFTER - 1;
const LISTS = 11;

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await startTestService();
  world = await startWorld({
    domains: {
      'guessed.example': { host: {}, mailboxes: ['anna'] },
      'mixed.example': { host: {}, mailboxes: { share: 0.5 } },
    },
  });
});
afterAll(async () => {
  await service.close();
  await world.close();
});

function engine(): Checker {
  const parsed = parsePolicy({ everyone: { unknownRecipients: JUDGED_AFTER } });
  if (!parsed.ok) throw new Error(parsed.why);
  return createChecker({
    dnsServers: [world.dnsServer],
    dnsSentinels: [],
    smtpPort: world.smtpPort,
    heloName: 'probe.mxproof.example',
    allowPrivateTargets: true,
    policy: parsed.policy,
  });
}

async function startEngine(): Promise<() => Promise<void>> {
  const checker = engine();
  const node = await service.node(checker);
  return async () => {
    await node.stop();
    await node.close();
    await checker.close();
  };
}

const guesses = (list: number) => Array.from({ length: LIST }, (_, n) => `guess${list}-${n}@guessed.example`);
/** Guesses that the mail server was asked about. */
const asked = () => [...world.seen.asks.keys()].filter((email) => email.startsWith('guess')).length;

async function check(emails: readonly string[], more = {}) {
  const { id } = await service.submit(emails, more);
  await service.done(id);
  return service.list(id);
}

const counted = async (accountId: number) =>
  (await askedBefore(service.db, [{ accountId, domain: 'guessed.example' }])).get(accountId)?.[0];

test('guesses split over lists of one account and two nodes end as those of one list do, and only for this account', async () => {
  const stops = [await startEngine(), await startEngine()];
  const ends: (number | string | null | undefined)[] = [];
  for (let list = 0; list < LISTS; list++) ends.push((await check(guesses(list)))!.undeliverable);
  // The second list crosses the limit, with what is on its way at that moment.
  expect(asked()).toBeGreaterThanOrEqual(JUDGED_AFTER);
  expect(asked()).toBeLessThanOrEqual(2 * LIST);
  expect(ends.slice(0, 1)).toEqual([LIST]);
  expect(ends.slice(2)).toEqual(Array.from({ length: LISTS - 2 }, () => 0));
  expect(await counted(service.accountId)).toMatchObject({ asked: asked(), unknown: asked() });

  const mixed = await check(Array.from({ length: 2 * JUDGED_AFTER }, (_, n) => `p${n}@mixed.example`));
  expect(mixed).toMatchObject({ checked: 2 * JUDGED_AFTER, unknown: 0 });
  const other = await service.open();
  expect(await check(guesses(LISTS), { accountId: other })).toMatchObject({ undeliverable: LIST });

  // A node that was not there knows it too, until the day is over.
  for (const stop of stops) await stop();
  const before = asked();
  const stop = await startEngine();
  expect(await check(guesses(LISTS + 1))).toMatchObject({ undeliverable: 0, unknown: LIST });
  expect(asked()).toBe(before);
  await stop();
  await service.db.query(`UPDATE mxproof.asked_domains SET since = since - interval '1 day'`);
  const next = await startEngine();
  expect(await check(guesses(LISTS + 2))).toMatchObject({ undeliverable: LIST });
  expect(await counted(service.accountId)).toMatchObject({ asked: LIST, unknown: LIST });
  await next();
});

/** A node that takes single checks alone. */
function startSingles() {
  const { db, context } = service;
  const checker = engine();
  const notifications = startNotifications(db, quiet);
  const singles = createSingleChecks({ context, checker, keepEvidence: false, log: quiet, notifications });
  return {
    async state(accountId: number, email: string) {
      const single = {
        ...submission(accountId, [], { single: true }),
        emails: [email] as const,
        isTest: false,
      };
      const verified = await verifyOne(context, singles, single, 60_000);
      return verified.kind === 'checked' ? verified.verdict.state : verified.kind;
    },
    async stop() {
      await singles.stop();
      await notifications.stop();
      await checker.close();
    },
  };
}

test('guesses by single checks end as those in lists do, over two nodes and a restart', async () => {
  const accountId = await service.open();
  const before = asked();
  const nodes = [startSingles(), startSingles()];
  const guess = (n: number) => `guess-one-${n}@guessed.example`;
  const states: string[] = [];
  for (let n = 0; n < 2 * JUDGED_AFTER; n++) states.push(await nodes[n % 2]!.state(accountId, guess(n)));
  // Each node learns of the other's by its own next write.
  expect(states.filter((state) => state === 'undeliverable').length).toBeLessThanOrEqual(JUDGED_AFTER + 2);
  expect(states.slice(0, JUDGED_AFTER)).toEqual(Array.from({ length: JUDGED_AFTER }, () => 'undeliverable'));
  expect(states.slice(-JUDGED_AFTER / 2)).toEqual(Array.from({ length: JUDGED_AFTER / 2 }, () => 'unknown'));
  for (const node of nodes) await node.stop();
  const restarted = startSingles();
  const after: string[] = [];
  for (let n = 0; n < 5; n++)
    after.push(await restarted.state(accountId, `guess-again-${n}@guessed.example`));
  // The first tells it: a single check does not read the table before it begins.
  expect(after).toEqual(['undeliverable', 'unknown', 'unknown', 'unknown', 'unknown']);
  expect(asked() - before).toBeLessThanOrEqual(JUDGED_AFTER + 3);
  await restarted.stop();
});

test('what was asked for a list counts, also when it is deleted meanwhile', async () => {
  const { db, accountId, context } = service;
  await db.query('DELETE FROM mxproof.asked_domains');
  const { id } = await service.submit(guesses(0));
  const [claimed] = await context.jobs.claimChunks({ limit: 1, accounts: [], notFrom: [] });
  await deleteList(context, THE_SERVICE, id, accountId);
  const asked = [{ domain: 'guessed.example', isUnknown: true }];
  const found = { n: 0, verdicts: new Map(), evidence: [], over: true, deferred: [] };
  await recordFindings(context, id, [{ ...found, asked, claimed: claimed! }]);
  expect(await counted(accountId)).toMatchObject({ asked: 1, unknown: 1 });
});

test('single checks count among them, and what is older than a day is removed', async () => {
  const { db, accountId } = service;
  const single = async (isUnknown: boolean) => {
    const { id: listId } = await service.submit(['a@guessed.example'], { single: true });
    const found = { listId, state: accepted.state, results: singleResults(accepted), evidence: null };
    await finishSingles(db, [{ ...found, asked: { domain: 'guessed.example', isUnknown } }]);
  };
  await db.query('DELETE FROM mxproof.asked_domains');
  // Few recipients that exist need no row.
  await single(false);
  expect(await counted(accountId)).toBeUndefined();
  await single(true);
  await single(false);
  expect(await counted(accountId)).toMatchObject({ asked: 2, unknown: 1 });
  await sweepAskedDomains(db);
  expect(await counted(accountId)).toBeDefined();
  // The day is counted from its first recipient: later ones do not lengthen it.
  await db.query(`UPDATE mxproof.asked_domains SET since = now() - interval '23 hours'`);
  await single(true);
  expect(await counted(accountId)).toMatchObject({ asked: 3, unknown: 2 });
  await db.query(`UPDATE mxproof.asked_domains SET since = since - interval '61 minutes'`);
  await single(true);
  expect(await counted(accountId)).toMatchObject({ asked: 1, unknown: 1 });
  await db.query(`UPDATE mxproof.asked_domains SET since = now() - interval '25 hours'`);
  await sweepAskedDomains(db);
  expect(await db.query('SELECT 1 FROM mxproof.asked_domains')).toEqual([]);
});
