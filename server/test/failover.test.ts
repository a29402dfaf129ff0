// Two real PostgreSQL servers, two nodes, and lists that are being checked in the simulated world: the primary dies in the
// middle of them, and its standby is promoted; then the same with the servers' parts exchanged, and a standby that is behind.
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld } from '../../world/src/index.ts';
import { openAccount } from '../src/flow/open-account.ts';
import { openDatabase } from '../src/store/database.ts';
import { migrate } from '../src/store/migrate.ts';
import { createSecretBox } from '../src/store/secret-box.ts';
import { verifyLedger } from '../src/store/verify-ledger.ts';
import { startNode } from './child.ts';
import { ordinaryWorld, people } from './faults/fault-rig.ts';
import {
  hasOwnPostgres,
  type OwnPostgres,
  type OwnStandby,
  startOwnPostgres,
  startStandby,
} from './own-postgres.ts';
import { startReceiver } from './receiver.ts';
import { until } from './until.ts';

const LAUNCHER = join(import.meta.dirname, '../../cli/bin/mxproof.mjs');
const SECRET_KEY = 'a key for this test';
const RECEIVER_NAME = 'test-only.mxproof.example';
const CREDITS = 100_000;
const SIZE = 300;
const closing: (() => unknown)[] = [];
/** Of every list that is to have a result, in both tests. */
const answered: number[] = [];
let primary: OwnPostgres;
/** Null: the one there was has been promoted. */
let standby: OwnStandby | null;
let freedPort: number;
let nodes: Awaited<ReturnType<typeof startNodes>>;

beforeAll(async () => {
  if (!hasOwnPostgres) return;
  primary = await startOwnPostgres(folder(), ['hot_standby = on', "synchronous_standby_names = ''"]);
  closing.push(() => primary.stop());
  standby = await startStandby(folder(), primary);
  const second = standby;
  closing.push(() => second.stop());
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  nodes = await startNodes(`postgresql://operator:secret@${hosts}/postgres?target_session_attrs=read-write`);
});
afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'mxproof-failover-'));
  closing.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function statement(url: string, ...texts: string[]): Promise<void> {
  const db = openDatabase({ url, poolSize: 1, onError: () => {} });
  for (const text of texts) await db.query(text);
  await db.close();
}

/** From now on, what is committed is on both, or not. */
const setSynchronous = (names: string) =>
  statement(
    primary.url,
    `ALTER SYSTEM SET synchronous_standby_names = '${names}'`,
    'SELECT pg_reload_conf()',
  );

/** The primary is dead; the nodes are told nothing. */
function promote(): void {
  standby!.promote();
  freedPort = primary.port;
  primary = standby!;
  standby = null;
}

/** A node that serves and checks, and one that only checks. */
async function startNodes(url: string) {
  const { domains } = ordinaryWorld(50);
  const spec = { domains: { ...domains, [RECEIVER_NAME]: { implicit: { addresses: ['127.0.0.1'] } } } };
  const world = await startWorld(spec);
  closing.push(() => world.close());
  const receiver = await startReceiver((response) => response.end());
  closing.push(() => receiver.close());
  const own = folder();
  writeFileSync(join(own, 'ca.pem'), receiver.ca);
  const db = openDatabase({ url, poolSize: 1, onError: () => {} });
  await migrate(db);
  const account = await openAccount(db, createSecretBox(SECRET_KEY), { name: 'failover', credits: CREDITS });
  await db.close();
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    DATABASE_URL: url,
    MXPROOF_SECRET_KEY: SECRET_KEY,
    MXPROOF_DATA_DIR: join(own, 'data'),
    MXPROOF_HELO_NAME: 'probe.mxproof.example',
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    MXPROOF_SMTP_RETRY_SECONDS: '1,2,3,4',
    MXPROOF_CALLBACK_RETRY_SECONDS: '2,4',
    NODE_EXTRA_CA_CERTS: join(own, 'ca.pem'),
  };
  const run = (...args: string[]) => {
    const child = startNode([LAUNCHER, ...args], env);
    closing.push(() => child.end());
    return child;
  };
  const service = run('serve');
  const worker = run('work');
  const ready = JSON.parse(await service.line(/"msg":"ready"/)) as { url: string };
  await worker.line(/"msg":"checking"/);

  const headers = { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' };
  const call = async (path: string, body?: object) => {
    const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(`${ready.url}${path}`, request);
    // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
    return { status: answer.status, json: (await answer.json()) as any };
  };
  let next = 0;
  /** The id of a list that the service has answered for; null: it said to come again. */
  const submit = async (): Promise<number | null> => {
    const emails = people(SIZE, next);
    next += SIZE;
    const callback_url = receiver.url.replace('localhost', RECEIVER_NAME);
    const { status, json } = await call('/v1/lists', { emails, callback_url });
    if (status === 503) return null;
    expect(status).toBe(201);
    return json.id;
  };
  return {
    service,
    worker,
    run,
    call,
    submit,
    submitted: () =>
      until(async () => {
        const id = await submit();
        if (id === null) throw new Error('still 503');
        return id;
      }),
    statusOf: async (path: string) => (await call(path)).status,
    /** Each list is done with true verdicts, and the money is exact: of these lists and no others. */
    async settled(lists: readonly number[]) {
      let used = 0;
      for (const id of lists) {
        await until(async () => (await call(`/v1/lists/${id}`)).json.status === 'done');
        const { results } = (await call(`/v1/lists/${id}/results?limit=${SIZE}`)).json;
        expect(results).toHaveLength(SIZE);
        for (const { email, state } of results)
          expect(`${email} ${state}`).toBe(`${email} ${world.truth(email).state}`);
        used += results.filter(({ state }: { state: string }) => state !== 'unknown').length;
      }
      expect((await call('/v1/account')).json).toMatchObject({ credits: CREDITS - used, credits_used: used });
    },
    /** By list; each was signed, and one that came twice came under the same id. */
    async callbacks() {
      const ids = new Map<number, string>();
      const key = Buffer.from(account.webhookSecret.replace('whsec_', ''), 'base64');
      for (const { body, headers: sent } of receiver.received) {
        const id = String(sent['webhook-id']);
        const signed = createHmac('sha256', key).update(`${id}.${sent['webhook-timestamp']}.`).update(body);
        expect(sent['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);
        const { list } = JSON.parse(body.toString()) as { list: { id: number } };
        expect(ids.get(list.id) ?? id).toBe(id);
        ids.set(list.id, id);
      }
      return ids;
    },
  };
}

async function countOf(url: string, what: string): Promise<number> {
  const db = openDatabase({ url, poolSize: 1, onError: () => {} });
  const [row] = await db.query<{ count: number }>(`SELECT count(*) FROM ${what}`).finally(() => db.close());
  return row!.count;
}

async function ledgerDifferences(url: string) {
  const db = openDatabase({ url, poolSize: 1, onError: () => {} });
  return verifyLedger(db)
    .then(({ differences }) => differences)
    .finally(() => db.close());
}

test.runIf(hasOwnPostgres)(
  'the primary dies, its standby is promoted, and both nodes go on; the old primary is refused',
  async () => {
    await setSynchronous('*');
    answered.push(await nodes.submitted(), await nodes.submitted());
    await until(async () => (await nodes.call(`/v1/lists/${answered[0]}`)).json.checked > 0);
    const old = primary;
    await old.kill();
    await until(async () => (await nodes.statusOf('/readyz')) === 503);
    expect(await nodes.submit()).toBeNull();
    expect(await nodes.statusOf(`/v1/lists/${answered[0]}`)).toBe(503);
    expect(await nodes.statusOf('/healthz')).toBe(200);
    promote();
    await until(async () => (await nodes.statusOf('/readyz')) === 200);
    answered.push(await nodes.submitted());
    // A command begins with the host that is gone.
    expect(await nodes.run('ledger', 'verify').ended).toBe(0);

    // The old one is started again, and the new one is away for a moment: better none than the old.
    await old.start();
    await primary.kill();
    for (const node of [nodes.service, nodes.worker])
      await node.line(/is an old primary \(timeline 1, and 2 was seen\)/);
    expect(await nodes.submit()).toBeNull();
    await primary.start();
    answered.push(await nodes.submitted());
    await old.stop();

    await nodes.settled(answered);
    await until(async () => (await nodes.callbacks()).size === answered.length);
    expect([...(await nodes.callbacks()).keys()].sort()).toEqual(answered.toSorted());
    expect(await ledgerDifferences(primary.url)).toEqual([]);
  },
);

test.runIf(hasOwnPostgres)(
  'a standby that is behind loses the lists that it never saw, and money agrees with what it has',
  async () => {
    await setSynchronous('');
    if (standby === null) {
      standby = await startStandby(folder(), primary, freedPort);
      const third = standby;
      closing.push(() => third.stop());
    }
    const { url } = standby;
    const kept = await nodes.submitted();
    answered.push(kept);
    await until(async () => (await nodes.call(`/v1/lists/${kept}`)).json.checked > 0);
    // It has the list, and hears no more.
    await until(async () => (await countOf(url, `mxproof.lists WHERE id = ${kept}`)) === 1);
    await statement(url, "ALTER SYSTEM SET primary_conninfo = ''", 'SELECT pg_reload_conf()');
    await until(async () => (await countOf(url, 'pg_stat_wal_receiver')) === 0);
    const lost = await nodes.submitted();
    await until(async () => (await nodes.call(`/v1/lists/${lost}`)).json.checked > 0);
    await primary.kill();
    promote();
    await until(async () => (await nodes.statusOf(`/v1/lists/${lost}`)) === 404);
    await nodes.settled(answered);
    const next = await nodes.submitted();
    answered.push(next);
    await nodes.settled(answered);
    await until(async () => (await nodes.callbacks()).has(next));
    expect(await ledgerDifferences(primary.url)).toEqual([]);
    for (const node of [nodes.service, nodes.worker]) {
      node.process.kill('SIGTERM');
      expect(await node.ended).toBe(0);
    }
  },
);
