// Health of sources with real engines, a real PostgreSQL and a simulated internet on loopback: counts, a block in mid-list,
// restarts, siblings, and rests by hand.
import { type AskedPlace, createChecker, type Outcome } from '@mxproof/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World, type WorldSpec } from '../../../../world/src/index.ts';
import { quiet, startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { readConfig } from '../../settings/config.ts';
import { findSources } from '../../settings/look-up-names.ts';
import type { AloneSettings } from '../../start/alone-process.ts';
import { findAccount } from '../../store/accounts.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';
import { createAskAlone } from '../../worker/ask-alone.ts';
import { createSourceHealth } from './keep-health.ts';
import {
  claimTrial,
  endRest,
  endRestByHand,
  keepRest,
  keepRestByHand,
  readSourceHealth,
} from './stored-health.ts';

const ONE = '127.0.0.2';
const OTHER = '127.0.0.3';
const DOMAINS = 8;
const EACH = 12;
const BLOCK_AFTER = 4;
const SLOW = 60;
const REST_MIN_MS = 15 * 60_000;
const LISTED = `554 5.7.1 <anna@m0.example> refused: [${ONE}] blocked using zen.spamhaus.org, see https://www.spamhaus.org/query/ip/${ONE}`;

const tenants = (label: string) => (i: number) => `${label}${i}-example.mail.protection.outlook.com`;
const each = <T>(make: (i: number) => T): T[] => Array.from({ length: DOMAINS }, (_, i) => make(i));

/** Microsoft's hosts, one for each domain, which block the first source from some recipient on; Google's; and others. */
const SPEC: WorldSpec = {
  hosts: {
    'aspmx.l.google.com': {},
    ...Object.fromEntries(
      each((i) => [
        tenants('m')(i),
        { at: { rcpt: { reply: LISTED, afterAll: BLOCK_AFTER, sources: [ONE] } } },
      ]),
    ),
    'mxs.mail.ru': { replyDelayMs: 40, pipelining: 'none' },
  },
  domains: {
    ...Object.fromEntries(each((i) => [`m${i}.example`, { mx: [tenants('m')(i)], mailboxes: { share: 1 } }])),
    ...Object.fromEntries(
      each((i) => [`g${i}.example`, { mx: ['aspmx.l.google.com'], mailboxes: { share: 0.5 } }]),
    ),
    ...Object.fromEntries(each((i) => [`o${i}.example`, { host: {}, mailboxes: { share: 0.5 } }])),
    'slow.example': { mx: ['mxs.mail.ru'], mailboxes: { share: 1 } },
  },
};

let service: TestService;
let world: World;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  service = await startTestService();
  world = await startWorld(SPEC);
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await service.close();
  await world.close();
});

/** A node, as main.ts puts it together. */
async function startOne(
  sources: readonly string[],
  retrySeconds: readonly number[] = [0.2, 0.2],
): Promise<() => Promise<void>> {
  const health = createSourceHealth({ db: service.db, sources, log: quiet, everyMs: 200 });
  const checker = createChecker({
    dnsServers: [world.dnsServer],
    dnsSentinels: [],
    smtpPort: world.smtpPort,
    sources: sources.map((ip) => ({ ip, heloName: 'probe.mxproof.example' })),
    allowPrivateTargets: true,
    retrySeconds,
    observer: health.observer,
    rests: health.rests,
  });
  await health.start((kept) => checker.learnRests(kept));
  const node = await service.node(checker, sources);
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await node.stop();
    await node.close();
    await checker.close();
    await health.stop();
  };
  stops.push(stop);
  return stop;
}

const asks = () => [...world.seen.asks].flatMap(([email, all]) => all.map((one) => ({ email, ...one })));
const at = async (source: string, provider: string) =>
  (await readSourceHealth(service.db)).find((one) => one.source === source && one.provider === provider);
/** `list`: others of the same domains for each. */
const people = (label: string, list: number) =>
  each((i) => Array.from({ length: EACH }, (_, n) => `p${list * 100 + n}@${label}${i}.example`)).flat();

test('what two nodes with the same sources have counted is what the world was asked, by source and provider', async () => {
  const before = asks().length;
  const both = [await startOne([ONE, OTHER]), await startOne([ONE, OTHER])];
  const lists = [];
  for (const n of [1, 2]) lists.push(await service.submit([...people('g', n), ...people('o', n)]));
  for (const { id } of lists) await service.done(id);
  for (const stop of both) await stop();
  const seen = asks().slice(before);
  const health = await readSourceHealth(service.db);
  for (const source of [ONE, OTHER])
    for (const provider of ['google', 'other']) {
      const own = seen.filter(
        (one) => one.source === source && one.host.endsWith('google.com') === (provider === 'google'),
      );
      const counts = health.find((one) => one.source === source && one.provider === provider)?.today;
      expect(own.length).toBeGreaterThan(50);
      expect(counts).toMatchObject({
        asked: own.length,
        accepted: own.filter(({ code }) => code === 250).length,
        refused: { block: 0, rate: 0, ptr: 0, policy: 0 },
      });
      // Probes are refused, and are no recipients of the list.
      const refused = own.filter(({ code }) => code >= 500);
      const real = refused.filter(({ email }) => /^p\d+@/.test(email));
      expect(counts?.unknownRecipients).toBe(real.length);
      expect(real.length).toBeGreaterThan(10);
    }
});

test('a source that is blocked in mid-list rests: no other one asks instead, what it asked before counts, the rest is refunded', async () => {
  const { credits } = (await findAccount(service.db, service.accountId))!;
  await startOne([ONE, OTHER]);
  const list = await service.submit(people('m', 1));
  await service.done(list.id);
  const seen = asks().filter(({ host }) => host.endsWith('outlook.com'));
  const sourcesOf = new Map<string, Set<string>>();
  for (const { email, source } of seen) {
    const domain = email.split('@')[1]!;
    sourcesOf.set(domain, (sourcesOf.get(domain) ?? new Set()).add(source));
  }
  for (const sources of sourcesOf.values()) expect(sources.size).toBe(1);
  // Recipients accepted before the block have a verdict; the others have none.
  const accepted = seen.filter(({ code, email }) => code === 250 && /^p\d+@/.test(email)).length;
  const counts = await service.list(list.id);
  expect(counts).toMatchObject({ status: 'done', total: DOMAINS * EACH, undeliverable: 0 });
  const { deliverable, risky, unknown } = counts as Record<string, number>;
  expect(deliverable! + risky!).toBe(accepted);
  expect(unknown).toBe(DOMAINS * EACH - accepted);
  expect(unknown).toBeGreaterThan(EACH);
  expect((await findAccount(service.db, service.accountId))!.credits).toBe(
    credits - (DOMAINS * EACH - unknown!),
  );
  expect((await verifyLedger(service.db)).differences).toEqual([]);

  const state = await until(async () => {
    const now = await at(ONE, 'microsoft');
    expect(now?.rest).toMatchObject({ by: 'refusals' });
    expect(now?.refusal).not.toBeNull();
    return now!;
  });
  expect(state.rest!.until!.getTime() - state.rest!.since.getTime()).toBeGreaterThan(14 * 60_000);
  expect(state.refusal).toMatchObject({ kind: 'block', link: `https://www.spamhaus.org/query/ip/${ONE}` });
  expect(state.refusal!.reply).not.toContain('@');
  expect(state.today.refused.block).toBeGreaterThanOrEqual(3);
  expect((await at(OTHER, 'microsoft'))?.rest).toBeNull();
});

const toMicrosoftFromOne = () =>
  asks().filter(({ host, source }) => host.endsWith('outlook.com') && source === ONE).length;
const connections = () =>
  each((i) => world.seen.hosts[tenants('m')(i)]?.connections ?? 0).reduce((sum, n) => sum + n, 0);

test('a node that is started while its source rests connects nowhere there; after the rest one session of two nodes tries', async () => {
  for (const stop of stops) await stop();
  const before = connections();
  await startOne([ONE]);
  const list = await service.submit(people('m', 2));
  await service.done(list.id);
  expect(await service.list(list.id)).toMatchObject({ unknown: DOMAINS * EACH });
  expect(connections()).toBe(before);
  expect((await verifyLedger(service.db)).differences).toEqual([]);

  for (const stop of stops) await stop();
  await service.db.query(
    `UPDATE mxproof.source_states SET resting_until = now() - interval '1 second' WHERE source = $1`,
    [ONE],
  );
  const asked = toMicrosoftFromOne();
  await startOne([ONE], []);
  await startOne([ONE], []);
  const lists = [];
  for (const n of [3, 4, 5, 6]) lists.push(await service.submit(people('m', n)));
  for (const { id } of lists) await service.done(id);
  expect(connections()).toBe(before + 1);
  expect(toMicrosoftFromOne()).toBeGreaterThan(asked);
  const [row] = await service.db.query<{ rest_ms: number }>(
    `SELECT rest_ms FROM mxproof.source_states WHERE source = $1 AND provider = 'microsoft' AND resting_until > now()`,
    [ONE],
  );
  expect(row?.rest_ms).toBe(30 * 60_000);
});

test('by hand, while a list runs: a source is left out within seconds and used again when it is resumed', async () => {
  for (const stop of stops) await stop();
  await startOne([OTHER], Array(40).fill(0.5));
  const list = await service.submit(Array.from({ length: SLOW }, (_, n) => `p${n}@slow.example`));
  const asked = () => asks().filter(({ email }) => email.endsWith('@slow.example')).length;
  await until(async () => expect(asked()).toBeGreaterThan(5));
  const place = { source: OTHER, provider: 'mailru' };
  await keepRestByHand(service.db, place, null);
  // The answers to what was on the wire come in; then there are no more.
  let last = -1;
  await until(async () => {
    const now = asked();
    const isStill = now === last;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isStill && asked() === last).toBe(true);
  });
  expect(last).toBeLessThan(SLOW);
  expect((await service.list(list.id))?.status).not.toBe('done');
  expect((await at(OTHER, 'mailru'))?.rest).toMatchObject({ by: 'operator', until: null });
  await endRestByHand(service.db, place);
  await service.done(list.id);
  expect(await service.list(list.id)).toMatchObject({ deliverable: SLOW });
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test('a process of its own rests where its node does, and asks the node who tries', async () => {
  for (const stop of stops) await stop();
  const [host, port] = world.dnsServer.split(':');
  const config = {
    ...readConfig({
      MXPROOF_DNS_SENTINELS: 'none',
      MXPROOF_SOURCE_ADDRESSES: `${ONE}=probe.mxproof.example`,
    }),
    smtpPort: world.smtpPort,
    allowPrivateTargets: true,
  };
  const claims: AskedPlace[] = [];
  const began: number[] = [];
  const asking = createAskAlone({
    program: new URL('../../start/alone-process.ts', import.meta.url),
    settings: {
      config,
      dnsServers: [{ host: host!, port: Number(port) }],
      sources: await findSources(config),
      probeKey: 'probes',
    } satisfies AloneSettings,
    rests: {
      began: (_, restMs) => began.push(restMs),
      ended: () => {},
      claimTrial: async (at) => {
        claims.push(at);
        return true;
      },
    },
    log: quiet,
  });
  const place = { source: ONE, provider: 'microsoft' };
  const rest = { ...place, by: 'refusals', agoMs: 0, restMs: 60_000, refusals: 3, trialLeftMs: 0 } as const;
  const ask = async () => {
    const outcomes: Outcome[] = [];
    await asking.checker({ isTest: false, isFresh: false }).ask(
      people('m', 7).map((email) => ({ email })),
      { onOutcome: (_, outcome) => outcomes.push(outcome) },
    );
    return outcomes;
  };
  const before = connections();
  asking.learnRests({ rests: [{ ...rest, leftMs: 60_000 }], resumed: [] });
  const waiting = await ask();
  expect(waiting.every((one) => one.kind === 'later' && one.resume.detail === 'source_resting')).toBe(true);
  expect([connections() - before, claims]).toEqual([0, []]);
  asking.learnRests({ rests: [{ ...rest, leftMs: 0 }], resumed: [] });
  await ask();
  asking.close();
  expect([connections() - before, claims]).toEqual([1, [place]]);
  // The trial was refused, as everything from there is by now.
  expect(began).toEqual([REST_MIN_MS]);
});

test('of many that ask at once, one may try; none during a rest, and one again when the trial is over', async () => {
  const place = { source: '192.0.2.50', provider: 'google' };
  const claims = async () =>
    (await Promise.all(Array.from({ length: 8 }, () => claimTrial(service.db, place, 60_000)))).filter(
      Boolean,
    ).length;
  await keepRest(service.db, place, { restMs: 900_000, leftMs: 900_000, refusals: 3 });
  expect(await claims()).toBe(0);
  await keepRest(service.db, { ...place, provider: 'yahoo' }, { restMs: 900_000, leftMs: 0, refusals: 3 });
  place.provider = 'yahoo';
  expect([await claims(), await claims()]).toEqual([1, 0]);
  await service.db.query(`UPDATE mxproof.source_states SET trial_until = now() WHERE source = '192.0.2.50'`);
  expect([await claims(), await claims()]).toEqual([1, 0]);
  await endRest(service.db, place);
  // There is nothing to try any more.
  expect(await claims()).toBe(8);
});
