// Limits per day with real engines on a real PostgreSQL: nodes of one source, a restart, another source, and the list's end.
import { createChecker, type Outcome, type Policy, parsePolicy } from '@mxproof/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../../../world/src/index.ts';
import { atOnce, sameRows } from '../../test/reading.ts';
import { quiet, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import type { AloneSettings } from '../alone-process.ts';
import { findSources } from '../checker.ts';
import { readConfig } from '../config.ts';
import { endLateList } from '../flow/end-late-list.ts';
import { readPage } from '../flow/read-results.ts';
import { readListWaiting } from '../flow/read-waiting.ts';
import { createRecipientPermits } from '../store/recipient-permits.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { createAskAlone } from './ask-alone.ts';

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

function policyOfTheDay(): Policy {
  const parsed = parsePolicy({ everyone: { recipientsPerDay: PER_DAY } });
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

async function startEngine(source: string): Promise<() => Promise<void>> {
  const checker = createChecker({
    dnsServers: [world.dnsServer],
    dnsSentinels: [],
    smtpPort: world.smtpPort,
    sources: [{ ip: source, heloName: 'probe.mxproof.example' }],
    allowPrivateTargets: true,
    policy: policyOfTheDay(),
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
  await endLateList(service.context, { id: list.id, total: LIST }, true);
  expect(await service.list(list.id)).toMatchObject({ status: 'done', unknown: LIST });
  const details = new Set<string>();
  const page = { offset: 0, limit: 100 };
  for await (const found of readPage(service.db, atOnce, { id: list.id, total: LIST }, page, sameRows))
    for (const { verdict } of found) details.add(`${verdict?.state} ${verdict?.reason} ${verdict?.detail}`);
  expect([...details]).toEqual(['unknown unavailable_smtp budget']);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test('what a process of its own asks about a chunk counts with what its node asks', async () => {
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
    perHour: null,
    perDay: PER_DAY,
    wanted: 5,
  });
  const asking = createAskAlone({
    program: new URL('../alone-process.ts', import.meta.url),
    settings: {
      config,
      dnsServers,
      sources: await findSources(config),
      probeKey: 'probes',
    } satisfies AloneSettings,
    permits,
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
  expect(
    outcomes.filter((one) => one.kind === 'later' && one.resume.detail === 'budget').length,
  ).toBeGreaterThan(PER_DAY);
});
