import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, quiet, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { sweepSourceDays } from '../features/sources/stored-health.ts';
import { deleteList } from '../flow/delete-list.ts';
import { deleteWithUndo } from '../flow/delete-with-undo.ts';
import { findEvidence } from '../flow/read-evidence.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { unpackEvidence } from '../rules/evidence-pack.ts';
import { decompress } from '../store/compress.ts';
import { describeError } from '../store/describe-error.ts';
import { takeDuty } from '../store/duty-lease.ts';
import { startSweeps } from './sweeps.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const rowsOf = async (table: string) =>
  (await service.db.query<{ count: number }>(`SELECT count(*) FROM mxproof.${table}`))[0]!.count;

test('evidence says why, for every address', async () => {
  await service.node(createFakeChecker());
  const list = await service.submit(addresses(300));
  await service.done(list.id);
  const rows = await service.db.query<{ n: number; data: Buffer }>('SELECT n, data FROM mxproof.evidence');
  const found = rows.flatMap(({ n, data }) =>
    [...unpackEvidence(decompress(data))].map(([position, { rule }]) => `${n} ${position} ${rule}`),
  );
  expect(found).toHaveLength(300);
  expect(found).toContain('1 49 fake');
  expect((await service.list(list.id))?.checked).toBe(300);
});

test('a list that takes too long ends, its rest unknown', async () => {
  const list = await service.submit(addresses(20_000));
  await service.db.query(`UPDATE mxproof.lists SET created_at = now() - interval '5 hours'`);
  const sweeps = startSweeps({
    context: service.context,
    listLimitMs: 4 * 3_600_000,
    keepEvidence: true,
    log: quiet,
  });
  await service.done(list.id);
  await sweeps.stop();
  expect(await service.list(list.id)).toMatchObject({ checked: 20_000, unknown: 20_000 });
  expect(await findEvidence(service.db, list.id, 19_999)).toMatchObject({
    kind: 'found',
    evidence: { rule: expect.stringContaining('took too long'), attempts: 0 },
  });
  const [account] = await service.db.query('SELECT used FROM mxproof.accounts');
  expect(account).toEqual({ used: 0 });
});

test.each([
  ['a name', 'lists', `name_json = '"not json'`],
  ['addresses', 'chunks', `emails = '"not json'`],
])('a late list with %s that cannot be read keeps no other from its end and refund', async (_, table, poison) => {
  const bad = await service.submit(addresses(3));
  await service.db.query(`UPDATE mxproof.${table} SET ${poison}`);
  const good = await service.submit(addresses(3));
  await service.db.query(
    `INSERT INTO mxproof.source_days (source, provider, day, asked) VALUES ('', '', 1, 1)`,
  );
  await service.db.query(`UPDATE mxproof.lists SET created_at = now() - make_interval(secs => 20000 - id)`);
  const lines: string[] = [];
  const log = pino(
    { serializers: { err: describeError } },
    { write: (line: string) => void lines.push(line) },
  );
  const sweeps = startSweeps({
    context: service.context,
    listLimitMs: 3_600_000,
    keepEvidence: true,
    log,
    sweeps: [sweepSourceDays],
  });
  await service.done(good.id);
  // What the same loop does besides goes on as well.
  await until(async () => expect(await rowsOf('source_days')).toBe(0));
  await sweeps.stop();
  const [refund] = await service.db.query(
    `SELECT amount FROM mxproof.ledger WHERE kind = 'refund' AND list_id = $1`,
    [good.id],
  );
  expect(refund).toEqual({ amount: 3 });
  const failures = lines.filter((line) => line.includes('"level":50'));
  if (table === 'lists') expect(await service.list(bad.id)).toMatchObject({ status: 'done' });
  else {
    expect(await service.list(bad.id)).toMatchObject({ status: 'processing' });
    expect(failures).toEqual([expect.stringContaining(`"item":${bad.id},"err":{"type":"SyntaxError"`)]);
  }
  expect(lines.join()).not.toMatch(/not json|@example/);
});

test('the data of deleted lists is removed when their undo is over, and no other data', async () => {
  await service.node(createFakeChecker());
  const ids: number[] = [];
  // More than are removed at once.
  for (let n = 0; n < 25; n++) ids.push((await service.submit(addresses(2))).id);
  for (const id of ids) await service.done(id);
  const [kept, hidden, ...over] = ids;
  for (const id of [hidden!, ...over])
    expect(await deleteWithUndo(service.context, THE_SERVICE, id, service.accountId, 3_600)).toBe('deleted');
  await service.db.query('UPDATE mxproof.lists SET remove_at = now() WHERE id = ANY($1)', [over]);
  const sweeps = startSweeps({
    context: service.context,
    listLimitMs: 4 * 3_600_000,
    keepEvidence: true,
    log: quiet,
  });
  await until(async () => expect(await rowsOf('lists')).toBe(2));
  await sweeps.stop();
  for (const table of ['chunks', 'evidence']) expect(await rowsOf(table), table).toBe(2);
  for (const id of [kept!, hidden!]) expect(await service.list(id)).toMatchObject({ status: 'done' });
});

test('one node of all has the turn', async () => {
  const turns = await Promise.all(Array.from({ length: 8 }, () => takeDuty(service.db, 'duty', 60)));
  expect(turns.filter(Boolean)).toHaveLength(1);
});

test('tables do not grow with what is gone', async () => {
  await service.node(createFakeChecker({ width: 1_000 }));
  for (let round = 0; round < 3; round++) {
    const list = await service.submit([...addresses(2_000), ...addresses(200, 'wait')]);
    await service.done(list.id);
    await deleteList(service.context, THE_SERVICE, list.id, service.accountId);
  }
  // VACUUM gives back what no row lives in, unless a claim or heartbeat of the node has a snapshot from before or
  // reads the table in that moment: then the next one does. What never goes away is what grows.
  await until(async () => {
    for (const table of TABLES) await service.db.query(`VACUUM ${table}`);
    expect(await bytesOf(TABLES)).toEqual(TABLES.map((table) => ({ table, bytes: 0 })));
  });
});

const TABLES = ['mxproof.chunks', 'mxproof.evidence', 'mxproof.lists', 'mxproof.jobs'];

/** Rows, living or dead, with what is kept out of line; without indexes, whose empty pages are used again. */
const bytesOf = (tables: readonly string[]) =>
  service.db.query<{ table: string; bytes: number }>(
    `SELECT name AS table, pg_relation_size(oid) + coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) AS bytes
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place) JOIN pg_class ON oid = name::regclass
     ORDER BY place`,
    [tables],
  );

test('days of sources go after 400 days', async () => {
  await service.db.query(
    `INSERT INTO mxproof.source_days (source, provider, day, asked)
     SELECT '192.0.2.1', 'google', floor(extract(epoch FROM now()) / 86400) - ago, 1 FROM unnest('{0, 400, 401}'::int[]) AS ago`,
  );
  const sweeps = startSweeps({
    context: service.context,
    listLimitMs: 1e9,
    keepEvidence: true,
    log: quiet,
    sweeps: [sweepSourceDays],
  });
  await until(async () => expect(await rowsOf('source_days')).toBe(2));
  await sweeps.stop();
});
