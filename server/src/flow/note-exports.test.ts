// Reading a list out, over HTTP and over several nodes, and what the trail has of it by then.
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRowsIn } from '../../test/audit-rows.ts';
import { startService, type TestService } from '../../test/http-service.ts';
import { lockWaits } from '../../test/lock-waits.ts';
import { until } from '../../test/until.ts';
import { type Actor, THE_SERVICE } from '../rules/audit.ts';
import { sweepAuditedExports } from '../store/audited-exports.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { addKey } from './add-key.ts';
import { createExportNotes } from './note-exports.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const db = () => service.context.db;
const ROWS = 5_000;

async function newList(count = 3): Promise<number> {
  const emails = Array.from({ length: count }, (_, at) => `a${at}@example.com`);
  return (await service.call('POST', '/v1/lists', { body: { emails } })).json.id;
}

const exportsOf = async (listId: number) =>
  (await auditRowsIn(db())).filter(
    ({ action, subject_id }) => action === 'list.exported' && subject_id === listId,
  );

const read = (listId: number, query = '', key?: string) =>
  service.call('GET', `/v1/lists/${listId}/results${query}`, key === undefined ? {} : { key });

/** Its first bytes; the rest is not read. */
function begin(listId: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(
      {
        ...{ host: '127.0.0.1', port: service.port, path: `/v1/lists/${listId}/results?limit=${ROWS}` },
        headers: { authorization: `Bearer ${service.account.apiKey}` },
      },
      (response) => {
        response.on('error', () => {});
        response.once('data', () => {
          response.pause();
          resolve(response);
        });
      },
    );
    request.on('error', reject);
  });
}

test('however a list is read, page by page, filtered or as CSV, it is one row for each key', async () => {
  const list = await newList();
  const other = await addKey(db(), THE_SERVICE, {
    accountId: service.account.accountId,
    label: '',
    manage: false,
  });
  for (const query of ['', '?offset=1&limit=1', '?format=csv', '?state=pending', '?format=csv&q=a1'])
    expect((await read(list, query)).status).toBe(200);
  await read(list, '', other.apiKey);
  const rows = await exportsOf(list);
  expect(rows).toMatchObject([
    { actor: 'key', account_id: service.account.accountId, client: '127.0.0.1' },
    { actor: 'key', actor_id: other.key.id },
  ]);
});

test('a single check is no list that is read out', async () => {
  const single = await service.call('POST', '/v1/verify', { body: { email: 'ann@example.com' } });
  const path = String(single.headers['content-location']);
  expect((await service.call('GET', path)).status).toBe(200);
  expect(await exportsOf(Number(path.split('/')[3]))).toEqual([]);
});

test('no byte leaves before the row is committed, and it stays when the connection breaks after the first', async () => {
  const list = await newList(ROWS);
  const [key] = await db().query<{ id: number }>('SELECT min(id) AS id FROM mxproof.api_keys');
  let begun: Promise<IncomingMessage> | undefined;
  let isThere = false;
  await db()
    .transaction(async (tx) => {
      // Another node is about to note the same.
      await tx.query(
        `INSERT INTO mxproof.audited_exports (list_id, actor, hour) VALUES ($1, $2, date_trunc('hour', now()))`,
        [list, `key ${key!.id}`],
      );
      begun = begin(list);
      begun.then(
        () => {
          isThere = true;
        },
        () => {},
      );
      await until(async () => expect(await lockWaits(db())).toBe(1));
      expect(isThere).toBe(false);
      throw new Error('and dies');
    })
    .catch(({ message }: Error) => expect(message).toBe('and dies'));
  const response = await begun!;
  expect(await exportsOf(list)).toHaveLength(1);
  response.destroy();
  expect(await exportsOf(list)).toHaveLength(1);
});

const KEY: Actor = { kind: 'key', id: 4, name: null, client: '10.0.0.1', requestId: null };

test('over all nodes it is one row in an hour, and a node asks the database once for it', async () => {
  const pools = [1, 2].map(() => openDatabase({ url: service.databaseUrl, poolSize: 4, onError: () => {} }));
  try {
    let asked = 0;
    let nowMs = 0;
    const nodes = pools.map((pool) => {
      const counted: Database = {
        ...pool,
        transaction(work) {
          asked += 1;
          return pool.transaction(work);
        },
      };
      return createExportNotes(counted, () => nowMs);
    });
    const list = { id: await newList(), accountId: service.account.accountId, single: false };
    const all = () =>
      Promise.all(Array.from({ length: 40 }, (_, at) => nodes[at % nodes.length]!.note(KEY, list)));
    await all();
    await all();
    expect(await exportsOf(list.id)).toHaveLength(1);
    expect(asked).toBe(2);
    // Of a browser that a link has signed in.
    await nodes[0]!.note({ ...KEY, kind: 'session', id: null }, list);
    expect(await exportsOf(list.id)).toHaveLength(2);
    // An hour later.
    await db().query(`UPDATE mxproof.audited_exports SET hour = hour - interval '1 hour'`);
    await all();
    expect(await exportsOf(list.id)).toHaveLength(2);
    nowMs += 3_600_000;
    await all();
    expect(await exportsOf(list.id)).toHaveLength(3);
  } finally {
    for (const pool of pools) await pool.close();
  }
});

test('old hours are forgotten', async () => {
  await db().query(
    `INSERT INTO mxproof.audited_exports (list_id, actor, hour)
     SELECT 0, 'key 1', date_trunc('hour', now()) - n * interval '1 hour' FROM generate_series(0, 5) n`,
  );
  await sweepAuditedExports(db());
  const rows = await db().query('SELECT hour FROM mxproof.audited_exports WHERE list_id = 0');
  expect(rows.length).toBeGreaterThanOrEqual(2);
  expect(rows.length).toBeLessThanOrEqual(3);
});
