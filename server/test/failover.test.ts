// Two real PostgreSQL servers in synchronous replication: the primary dies in the middle of lists, its standby is promoted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../src/store/database.ts';
import { verifyLedger } from '../src/store/verify-ledger.ts';
import { startNode } from './child.ts';
import { hasOwnPostgres, startOwnPostgres, startStandby } from './own-postgres.ts';
import { until } from './until.ts';

const LAUNCHER = join(import.meta.dirname, '../../cli/bin/mxproof.mjs');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'mxproof-failover-'));
  closing.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function replicated() {
  const primary = await startOwnPostgres(folder(), ['hot_standby = on', "synchronous_standby_names = ''"]);
  closing.push(() => primary.stop());
  const standby = await startStandby(folder(), primary);
  closing.push(() => standby.stop());
  // From now on, what is committed is on both.
  const admin = openDatabase({ url: primary.url, poolSize: 1, onError: () => {} });
  await admin.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await admin.query('SELECT pg_reload_conf()');
  await admin.close();
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  const url = `postgresql://operator:secret@${hosts}/postgres?target_session_attrs=read-write`;
  return { primary, standby, url };
}

test.runIf(hasOwnPostgres)(
  'the primary dies, its standby is promoted, and the node goes on; the old primary is refused',
  async () => {
    const { primary, standby, url } = await replicated();
    // A command finds the primary wherever it stands among the hosts.
    const turned = openDatabase({
      url: url.replace(/(127[^,]*),([^/]*)/, '$2,$1'),
      poolSize: 2,
      onError: () => {},
    });
    closing.push(() => turned.close());
    expect(await turned.query('SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: false }]);
    expect(await turned.transaction((tx) => tx.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    const service = startNode([LAUNCHER, 'serve'], {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: url,
      MXPROOF_SECRET_KEY: 'a key for this test',
      MXPROOF_DATA_DIR: join(folder(), 'data'),
      MXPROOF_HELO_NAME: 'probe.example.com',
      MXPROOF_DNS_SERVERS: '127.0.0.1:9',
    });
    closing.push(async () => {
      service.process.kill('SIGTERM');
      await service.ended;
    });
    const ready = JSON.parse(await service.line(/"msg":"ready"/)) as { url: string };
    const key = /Bearer (\S+)'/.exec(await service.line(/curl .*\/v1\/account/))![1]!;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    let count = 0;
    /** The id of a list that the service has answered for; null: it said to come again. */
    const submit = async (): Promise<number | null> => {
      count += 1;
      const emails = Array.from({ length: 20 }, (_, n) => `no address ${count} ${n}`);
      const body = JSON.stringify({ emails });
      const answer = await fetch(`${ready.url}/v1/lists`, { method: 'POST', headers, body });
      if (answer.status === 503) return null;
      expect(answer.status).toBe(201);
      return ((await answer.json()) as { id: number }).id;
    };
    const answered: number[] = [];
    const submitUntilAnswered = () =>
      until(async () => {
        const id = await submit();
        if (id === null) return false;
        answered.push(id);
        return true;
      });

    for (let n = 0; n < 5; n += 1) await submitUntilAnswered();
    const before = answered.length;
    await primary.kill();
    await until(async () => (await submit()) === null);
    standby.promote();
    await submitUntilAnswered();
    expect(answered.length).toBeGreaterThan(before);

    // The old one is started again, and the new one is away for a moment: better none than the old.
    await primary.start();
    await standby.kill();
    await service.line(/is an old primary \(timeline 1, and 2 was seen\)/);
    expect(await submit()).toBeNull();
    await standby.start();
    await submitUntilAnswered();

    const db = openDatabase({ url: standby.url, poolSize: 2, onError: () => {} });
    closing.push(() => db.close());
    await until(async () => {
      const [open] = await db.query<{ count: number }>(
        'SELECT count(*) FROM mxproof.lists WHERE finished_at IS NULL',
      );
      return open!.count === 0;
    });
    const lists = await db.query<{ id: number }>('SELECT id FROM mxproof.lists WHERE checked = 20');
    expect(lists.map(({ id }) => id)).toEqual(expect.arrayContaining(answered));
    expect(await verifyLedger(db)).toMatchObject({ differences: [] });
  },
  180_000,
);
