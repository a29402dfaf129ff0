// Limits per day with real engines on a real PostgreSQL: nodes of one source, a restart, another source, a warm-up, and the
// list's end.
import { createChecker, type Outcome, type Policy, parsePolicy } from '@mxproof/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../../../../world/src/index.ts';
import { atOnce, sameRows } from '../../../test/reading.ts';
import { quiet, startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { endLateList } from '../../flow/end-late-list.ts';
import { readPage } from '../../flow/read-results.ts';
import { readListWaiting } from '../../flow/read-waiting.ts';
import { readConfig } from '../../settings/config.ts';
import { findSources } from '../../settings/look-up-names.ts';
import type { AloneSettings } from '../../start/alone-process.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';
import { createAskAlone } from '../../worker/ask-alone.ts';
import { startSweeps } from '../../worker/sweeps.ts';
import { SourceTally } from './source-tally.ts';
import { createRecipientPermits } from './stored-permits.ts';

const PER_DAY = 20;
const LIST = 15;
const HOST = '127.77.0.1';
const DAY_SECONDS = 86_400;

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await startTestService();
  world = await startWorld({
    domains: { 'a.example': { host: { addresses: [HOST] }, mailboxes: { share: 1 } } },
  });
  // No day may end while its recipients are counted.
  const leftMs = DAY_SECONDS * 1_000 - (Date.now() % (DAY_SECONDS * 1_000));
  if (leftMs < 60_000) await new Promise((resolve) => setTimeout(resolve, leftMs));
});
afterAll(async () => {
  await service.close();
  await world.close();
});

function policyOfTheDay(json: unknown = { everyone: { recipientsPerDay: PER_DAY } }): Policy {
  const parsed = parsePolicy(json);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

async function startEngine(source: string, policy = policyOfTheDay()): Promise<() => Promise<void>> {
  const checker = createChecker({
    dnsServers: [world.dnsServer],
    dnsSentinels: [],
    smtpPort: world.smtpPort,
    sources: [{ ip: source, heloName: 'probe.mxproof.example' }],
    allowPrivateTargets: true,
    policy,
    permits: createRecipientPermits(service.db),
  });
  const node = await service.node(checker, [source]);
  return async () => {
    await node.stop();
    await node.close();
    await checker.close();
  };
}

const submit = (name: string) =>
  service.submit(Array.from({ length: LIST }, (_, n) => `p${n}${name}@a.example`));
/** Probes included. */
const asked = () => [...world.seen.asks.values()].reduce((sum, asks) => sum + asks.length, 0);

/** Everything that is not checked waits for the next day. */
async function heldBack(listId: number): Promise<number> {
  const waiting = await until(async () => {
    const now = await readListWaiting(service.db, listId, service.accountId, 4 * 3_600_000);
    const budget = now?.groups.filter(({ why }) => why === 'budget') ?? [];
    expect(budget.reduce((sum, { addresses }) => sum + addresses, 0)).toBe(now?.pending);
    return { pending: now?.pending ?? 0, budget };
  });
  for (const { nextAttemptAt } of waiting.budget) expect(nextAttemptAt! % DAY_SECONDS).toBeLessThan(60);
  return waiting.pending;
}

test('nodes of one source ask no more in a day than one may, also after a restart; another source asks as many again', async () => {
  const stops = [await startEngine('127.0.0.2'), await startEngine('127.0.0.2')];
  const lists = [];
  for (const name of ['a', 'b', 'c', 'd']) lists.push(await submit(name));
  let pending = 0;
  for (const { id } of lists) pending += await heldBack(id);
  expect(pending).toBeGreaterThanOrEqual(4 * LIST - PER_DAY);
  expect(asked()).toBe(PER_DAY);
  for (const stop of stops) await stop();

  const restarted = await startEngine('127.0.0.2');
  const list = await submit('e');
  expect(await heldBack(list.id)).toBe(LIST);
  expect(asked()).toBe(PER_DAY);
  await restarted();

  const elsewhere = await startEngine('127.0.0.3');
  await heldBack((await submit('f')).id);
  await heldBack((await submit('g')).id);
  expect(asked()).toBe(2 * PER_DAY);
  await elsewhere();

  // The list's time is over first: unknown, for that reason, and refunded.
  await endLateList(service.context, { id: list.id, total: LIST }, { keepEvidence: true });
  expect(await service.list(list.id)).toMatchObject({ status: 'done', unknown: LIST });
  const details = new Set<string>();
  const page = { offset: 0, limit: 100 };
  for await (const found of readPage(service.db, atOnce, { id: list.id, total: LIST }, page, sameRows))
    for (const { verdict } of found) details.add(`${verdict?.state} ${verdict?.reason} ${verdict?.detail}`);
  expect([...details]).toEqual(['unknown unavailable_smtp budget']);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test('a source that is being warmed up asks more after a good day; what its list has no time for ends unknown and is refunded', async () => {
  const source = '127.0.0.5';
  const policy = policyOfTheDay({ sources: { [source]: { warmUp: { perDay: 10, growth: 2 } } } });
  const { db } = service;
  const before = asked();
  // These exist.
  const submitPeople = (from: number) =>
    service.submit(Array.from({ length: LIST }, (_, n) => `p${from + n}@a.example`));
  const first = await submitPeople(0);
  const stop = await startEngine(source, policy);
  // Ten may be asked about, the probe among them.
  expect(await heldBack(first.id)).toBeGreaterThanOrEqual(LIST - 10);
  expect(asked() - before).toBe(10);
  await stop();

  await db.query(
    `INSERT INTO mxproof.source_days (source, provider, day, asked, accepted)
     SELECT source, provider, day - 1, 10, 9 FROM mxproof.warm_ups`,
  );
  await db.query('UPDATE mxproof.warm_ups SET day = day - 1');
  await db.query('UPDATE mxproof.recipient_windows SET hour = hour - 24, day = day - 1');
  const second = await submitPeople(LIST);
  await service.hurryDelayedJobs();
  const restarted = await startEngine(source, policy);
  await service.done(first.id);
  const pending = await heldBack(second.id);
  expect(pending).toBeGreaterThan(0);
  expect(asked() - before).toBe(10 + 20);
  await restarted();

  const sweeps = startSweeps({ context: service.context, listLimitMs: 1, keepEvidence: true, log: quiet });
  await service.done(second.id);
  await sweeps.stop();
  expect(await service.list(first.id)).toMatchObject({ deliverable: LIST, unknown: 0 });
  expect(await service.list(second.id)).toMatchObject({ deliverable: LIST - pending, unknown: pending });
  const details = new Set<string>();
  const page = { offset: 0, limit: 100 };
  for await (const found of readPage(db, atOnce, { id: second.id, total: LIST }, page, sameRows))
    for (const { verdict } of found) details.add(`${verdict?.state} ${verdict?.detail}`);
  expect([...details].sort()).toEqual(['deliverable accepted', 'unknown budget']);
  const entries = await db.query(
    'SELECT list_id, kind, amount FROM mxproof.ledger WHERE list_id IN ($1, $2) ORDER BY list_id, kind',
    [first.id, second.id],
  );
  expect(entries).toEqual([
    { list_id: first.id, kind: 'charge', amount: LIST },
    { list_id: second.id, kind: 'charge', amount: LIST },
    { list_id: second.id, kind: 'refund', amount: pending },
  ]);
  expect((await verifyLedger(db)).differences).toEqual([]);
});

test('what a process of its own asks about a chunk counts with what its node asks, and its node is told of it', async () => {
  const before = asked();
  const [host, port] = world.dnsServer.split(':');
  const config = {
    ...readConfig({
      MXPROOF_DNS_SENTINELS: 'none',
      MXPROOF_SOURCE_ADDRESSES: '127.0.0.4=probe.mxproof.example',
    }),
    smtpPort: world.smtpPort,
    allowPrivateTargets: true,
    policy: policyOfTheDay(),
  };
  const dnsServers = [{ host: host!, port: Number(port) }];
  const permits = createRecipientPermits(service.db);
  const { granted } = await permits.take({
    source: '127.0.0.4',
    key: `address ${HOST}`,
    payer: '',
    perHour: null,
    perDay: PER_DAY,
    wanted: 5,
  });
  const observer = new SourceTally();
  const asking = createAskAlone({
    program: new URL('../../start/alone-process.ts', import.meta.url),
    settings: {
      config,
      dnsServers,
      sources: await findSources(config),
      probeKey: 'probes',
    } satisfies AloneSettings,
    permits,
    observer,
    log: quiet,
  });
  const outcomes: Outcome[] = [];
  const questions = Array.from({ length: 2 * PER_DAY }, (_, n) => ({ email: `p${n}h@a.example` }));
  await asking
    .checker({ isTest: false, isFresh: true })
    .ask(questions, { onOutcome: (_, outcome) => outcomes.push(outcome) });
  asking.close();
  expect(granted).toBe(5);
  expect(asked() - before).toBe(PER_DAY - granted);
  expect(observer.take()).toMatchObject([
    { source: '127.0.0.4', provider: 'other', counts: { asked: PER_DAY - granted } },
  ]);
  expect(
    outcomes.filter((one) => one.kind === 'later' && one.resume.detail === 'budget').length,
  ).toBeGreaterThan(PER_DAY);
});
