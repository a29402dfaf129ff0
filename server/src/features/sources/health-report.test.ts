// Nodes with real sockets on a real database: what the deployment says of itself.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { type Checker, createChecker } from '@mxproof/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWorld, type World, type WorldSpec } from '../../../../world/src/index.ts';
import { createFakeChecker } from '../../../test/fake-checker.ts';
import { quiet, startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { readListWaiting } from '../../flow/read-waiting.ts';
import { startHealthReport } from './health-report.ts';
import { composeStatus } from './service-status.ts';
import { readHealth, sayHealth, sweepHealth } from './stored-obstacles.ts';

let service: TestService;
const reports: { stop(): Promise<void> }[] = [];
const worlds: World[] = [];
beforeEach(async () => {
  service = await startTestService();
});
afterEach(async () => {
  for (const report of reports.splice(0)) await report.stop();
  await service.close();
  for (const world of worlds.splice(0)) await world.close();
});

/** A node that checks, and says what keeps it from it. */
async function startNode(checker: Checker) {
  const { context, stop } = await service.node(checker);
  const { db, jobs } = context;
  const report = startHealthReport({ db, node: jobs.nodeId, checker, log: quiet });
  reports.push(report);
  return { stop: async () => void (await Promise.all([stop(), report.stop()])) };
}

const status = async () => composeStatus(await readHealth(service.db));
const codes = async () => {
  const { checking, reasons } = await status();
  return [checking, ...reasons.map(({ code }) => code)];
};

async function open(spec: WorldSpec, smtpPort?: number): Promise<World> {
  const world = await startWorld(spec, { seed: 1, ...(smtpPort !== undefined && { smtpPort }) });
  worlds.push(world);
  return world;
}

/** A port of every loopback address at which nothing listens. */
async function shutPort(): Promise<number> {
  const server = createServer().listen(0, '0.0.0.0');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const checkerIn = ({ dnsServer }: World, smtpPort: number) =>
  createChecker({
    dnsServers: [dnsServer],
    smtpPort,
    allowPrivateTargets: true,
    heloName: 'probe.example.com',
    retrySeconds: [1],
  });

test('with port 25 shut the service and the list say so, and the first server that answers ends it', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `d${i}.example`);
  const spec = {
    domains: Object.fromEntries(names.map((name) => [name, { host: {}, mailboxes: ['anna'] }])),
  };
  const port = await shutPort();
  const checker = checkerIn(await open(spec), port);
  await startNode(checker);
  await until(async () => expect(await codes()).toEqual(['ok']));
  const startedAt = Math.floor(Date.now() / 1_000);
  const list = await service.submit(names.map((name) => `anna@${name}`));
  await until(async () => expect(await codes()).toEqual(['waiting', 'port_25']));
  const [reason] = (await status()).reasons;
  expect(reason!.since).toBeGreaterThanOrEqual(startedAt);
  expect(reason!.advice).toMatch(/port 25.*firewall/);
  await until(async () => {
    const waiting = await readListWaiting(service.db, list.id, service.accountId, 3_600_000);
    expect(waiting!.groups.find(({ why }) => why === 'network_down')?.addresses).toBeGreaterThan(0);
  });
  await open(spec, port);
  // A shut host is tried again once it has rested.
  await until(async () =>
    expect(await checker.check('anna@d0.example')).toMatchObject({ state: 'deliverable' }),
  );
  await until(async () => expect(await codes()).toEqual(['ok']));
  await checker.close();
});

test('DNS servers that lie are named, by one check alone', async () => {
  const world = await open({ domains: { 'd0.com': { host: {} } }, dns: { lie: { kind: 'nxdomain' } } });
  const checker = checkerIn(world, world.smtpPort);
  await startNode(checker);
  expect(await checker.check('anna@d0.com')).toMatchObject({ detail: 'dns_untrusted' });
  await until(async () => expect(await codes()).toEqual(['waiting', 'dns']));
  await checker.close();
});

test('of two nodes one that is cut off does not speak for both; a node that dies or leaves has no word', async () => {
  const [one, other] = [createFakeChecker(), createFakeChecker()];
  const first = await startNode(one);
  const second = await startNode(other);
  await until(async () => expect(await readHealth(service.db)).toHaveLength(2));
  one.said = { obstacles: [{ code: 'port_25', sinceMs: Date.now() }], reachedAtMs: null };
  await until(async () => expect(await codes()).toEqual(['waiting', 'port_25']));
  other.said = { obstacles: [], reachedAtMs: Date.now() + 1_000 };
  await until(async () => expect(await codes()).toEqual(['ok', 'port_25']));
  await first.stop();
  expect(await codes()).toEqual(['ok']);
  await second.stop();
  expect(await status()).toEqual({ checking: 'waiting', reasons: [] });
  // As if one had died a while ago.
  await sayHealth(service.db, randomUUID(), { obstacles: [], reachedAt: null });
  expect(await codes()).toEqual(['ok']);
  await service.db.query(`UPDATE mxproof.node_health SET said_at = now() - interval '11 seconds'`);
  expect(await status()).toEqual({ checking: 'waiting', reasons: [] });
  await service.db.query(`UPDATE mxproof.node_health SET said_at = now() - interval '2 minutes'`);
  await sweepHealth(service.db);
  expect(await service.db.query('SELECT FROM mxproof.node_health')).toEqual([]);
});
