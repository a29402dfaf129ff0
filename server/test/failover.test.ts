// Two real PostgreSQL servers, two nodes, and lists that are being checked in the simulated world: the primary dies in the
// middle of them, and its standby is promoted; then the same with the servers' parts exchanged, and a standby that is behind.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../src/store/database.ts';
import type { Child } from './child.ts';
import { type FailoverRig, type FrontNode, ledgerDifferences, startFailoverRig } from './failover-rig.ts';
import {
  hasOwnPostgres,
  type OwnPostgres,
  type OwnStandby,
  startOwnPostgres,
  startStandby,
} from './own-postgres.ts';
import { until } from './until.ts';

const closing: (() => unknown)[] = [];
/** Of every list that is to have a result, in both tests. */
const answered: number[] = [];
let primary: OwnPostgres;
/** Null: the one there was has been promoted. */
let standby: OwnStandby | null;
let freedPort: number;
let url: string;
let rig: FailoverRig;
let service: FrontNode;
let worker: Child;

beforeAll(async () => {
  if (!hasOwnPostgres) return;
  primary = await startOwnPostgres(folder(), ['hot_standby = on', "synchronous_standby_names = ''"]);
  closing.push(() => primary.stop());
  standby = await startStandby(folder(), primary);
  const second = standby;
  closing.push(() => second.stop());
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  url = `postgresql://operator:secret@${hosts}/postgres?target_session_attrs=read-write`;
  rig = await startFailoverRig(url);
  closing.push(() => rig.close());
  // A node that serves and checks, and one that only checks.
  service = await rig.serve(url);
  worker = rig.run(url, 'work');
  await worker.line(/"msg":"checking"/);
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

async function countOf(url: string, what: string): Promise<number> {
  const db = openDatabase({ url, poolSize: 1, onError: () => {} });
  const [row] = await db.query<{ count: number }>(`SELECT count(*) FROM ${what}`).finally(() => db.close());
  return row!.count;
}

test.runIf(hasOwnPostgres)(
  'the primary dies, its standby is promoted, and both nodes go on; the old primary is refused',
  async () => {
    await setSynchronous('*');
    answered.push(await service.submitted(), await service.submitted());
    await until(async () => (await service.call(`/v1/lists/${answered[0]}`)).json.checked > 0);
    const old = primary;
    await old.kill();
    await until(async () => (await service.statusOf('/readyz')) === 503);
    expect(await service.submit()).toBeNull();
    expect(await service.statusOf(`/v1/lists/${answered[0]}`)).toBe(503);
    expect(await service.statusOf('/healthz')).toBe(200);
    promote();
    await until(async () => (await service.statusOf('/readyz')) === 200);
    answered.push(await service.submitted());
    // A command begins with the host that is gone.
    expect(await rig.run(url, 'ledger', 'verify').ended).toBe(0);

    // The old one is started again, and the new one is away for a moment: better none than the old.
    await old.start();
    await primary.kill();
    for (const node of [service.child, worker])
      await node.line(/is an old primary \(timeline 1, and 2 was seen\)/);
    expect(await service.submit()).toBeNull();
    await primary.start();
    answered.push(await service.submitted());
    await old.stop();

    await rig.settled(service, answered);
    await until(async () => (await rig.callbacks()).size === answered.length);
    expect([...(await rig.callbacks()).keys()].sort()).toEqual(answered.toSorted());
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
    const { url: standbyUrl } = standby;
    const kept = await service.submitted();
    answered.push(kept);
    await until(async () => (await service.call(`/v1/lists/${kept}`)).json.checked > 0);
    // It has the list, and hears no more.
    await until(async () => (await countOf(standbyUrl, `mxproof.lists WHERE id = ${kept}`)) === 1);
    await statement(standbyUrl, "ALTER SYSTEM SET primary_conninfo = ''", 'SELECT pg_reload_conf()');
    await until(async () => (await countOf(standbyUrl, 'pg_stat_wal_receiver')) === 0);
    const lost = await service.submitted();
    await until(async () => (await service.call(`/v1/lists/${lost}`)).json.checked > 0);
    await primary.kill();
    promote();
    await until(async () => (await service.statusOf(`/v1/lists/${lost}`)) === 404);
    await rig.settled(service, answered);
    const next = await service.submitted();
    answered.push(next);
    await rig.settled(service, answered);
    await until(async () => (await rig.callbacks()).has(next));
    expect(await ledgerDifferences(primary.url)).toEqual([]);
    for (const node of [service.child, worker]) {
      node.process.kill('SIGTERM');
      expect(await node.ended).toBe(0);
    }
  },
);
