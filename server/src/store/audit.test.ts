// What the database itself holds of the audit trail's promise.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRowsIn } from '../../test/audit-rows.ts';
import { startTestService, type TestService } from '../../test/service.ts';
import { dropAuditMonths, makeAuditMonths } from '../features/audit/stored-months.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { readAudit, writeAudit } from './audit.ts';
import { openDatabase, type Row, type Tx } from './database.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
});
afterAll(() => s.close());

async function months(): Promise<string[]> {
  const rows = await s.db.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'mxproof.audit'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

const insertAt = (at: string) =>
  s.db.query(
    `INSERT INTO mxproof.audit (at, account_id, action, actor, facts) VALUES ($1, 77, 'key.created', 'service', '{}')`,
    [at],
  );

test('rows are added, and neither changed nor removed: not in the trail, not in a month, not all at once', async () => {
  await writeAudit(s.db, THE_SERVICE, { action: 'account.changed', accountId: s.accountId });
  const before = await auditRowsIn(s.db);
  const [month] = await months();
  for (const table of ['audit', month])
    for (const statement of [
      `UPDATE mxproof.${table} SET action = 'key.created'`,
      `DELETE FROM mxproof.${table}`,
      `TRUNCATE mxproof.${table}`,
    ])
      await expect(s.db.query(statement), statement).rejects.toThrow('the audit trail only grows');
  expect(before.length).toBeGreaterThan(0);
  expect(await auditRowsIn(s.db)).toEqual(before);
});

test('the months ahead are there, made once however many nodes do, and a row finds its month', async () => {
  const now = new Date('2031-11-30T23:59:59Z');
  await Promise.all(Array.from({ length: 4 }, () => makeAuditMonths(s.db, now)));
  const made = (await months()).filter((name) => name >= 'audit_2031');
  expect(made).toEqual(['audit_2031_11', 'audit_2031_12', 'audit_2032_01']);
  await insertAt('2031-11-30T23:59:59.999Z');
  await insertAt('2031-12-01T00:00:00Z');
  const [row] = await s.db.query(
    `SELECT (SELECT count(*) FROM mxproof.audit_2031_11) AS nov, (SELECT count(*) FROM mxproof.audit_2031_12) AS dec`,
  );
  expect(row).toEqual({ nov: 1, dec: 1 });
  await expect(s.db.query('DELETE FROM mxproof.audit_2031_12')).rejects.toThrow('only grows');
});

test('where the months ahead are missing, the first row makes its own', async () => {
  const [first] = await months();
  for (const name of await months()) if (name < 'audit_2031') await s.db.query(`DROP TABLE mxproof.${name}`);
  await Promise.all(
    Array.from({ length: 4 }, () =>
      s.db.transaction((tx) => writeAudit(tx, THE_SERVICE, { action: 'key.created', accountId: 5 })),
    ),
  );
  expect((await months())[0]).toBe(first);
  expect((await auditRowsIn(s.db)).filter(({ account_id }) => account_id === 5)).toHaveLength(4);
});

test('a month goes as a whole, once it is over for as long as the trail is kept, and nothing else does', async () => {
  for (const month of ['2020-01-15', '2020-02-15', '2020-03-15'])
    await s.db.query('SELECT mxproof.make_audit_month($1::timestamptz)', [month]);
  await insertAt('2020-01-31T23:59:59Z');
  await insertAt('2020-02-01T00:00:00Z');
  await s.db.query(`CREATE TABLE mxproof.audit_2019_01 (a integer)`);
  const old = async () => (await months()).filter((name) => name < 'audit_2021');
  await dropAuditMonths(s.db, 12, new Date('2021-01-31T23:59:59Z'));
  expect(await old()).toEqual(['audit_2020_01', 'audit_2020_02', 'audit_2020_03']);
  await dropAuditMonths(s.db, 12, new Date('2021-02-01T00:00:00Z'));
  expect(await old()).toEqual(['audit_2020_02', 'audit_2020_03']);
  await dropAuditMonths(s.db, 1, new Date('2021-02-01T00:00:00Z'));
  expect(await old()).toEqual([]);
  // Its name alone makes it no month.
  expect(await s.db.query('SELECT * FROM mxproof.audit_2019_01')).toEqual([]);
});

test('a month is over by UTC, whatever the time zone of the database is', async () => {
  const url = new URL(s.url);
  url.searchParams.set('options', '-c TimeZone=America/Los_Angeles');
  const west = openDatabase({ url: url.href, poolSize: 2, onError: () => {} });
  try {
    const [zone] = await west.query('SHOW TimeZone');
    expect(zone).toEqual({ TimeZone: 'America/Los_Angeles' });
    await west.query(`SELECT mxproof.make_audit_month('2021-02-15')`);
    await dropAuditMonths(west, 1, new Date('2021-03-31T02:00:00Z'));
    expect(await months()).toContain('audit_2021_02');
    await dropAuditMonths(west, 1, new Date('2021-04-01T00:00:00Z'));
    expect(await months()).not.toContain('audit_2021_02');
  } finally {
    await west.close();
  }
});

test('a reader that takes long keeps its month, and what is written meanwhile does not wait for it', async () => {
  await s.db.query(`SELECT mxproof.make_audit_month('2020-04-15')`);
  await s.db.transaction(async (tx) => {
    await tx.query('SELECT FROM mxproof.audit_2020_04');
    await tx.query('LOCK TABLE mxproof.audit IN ACCESS SHARE MODE');
    await dropAuditMonths(s.db, 12);
    await writeAudit(s.db, THE_SERVICE, { action: 'key.created', accountId: 6 });
  });
  expect(await months()).toContain('audit_2020_04');
  await dropAuditMonths(s.db, 12);
  expect(await months()).not.toContain('audit_2020_04');
});

test('an operator reads all accounts, or one with its test side, by action, by actor, and from an id down', async () => {
  const page = { accountId: null, action: null, actor: null, member: null, since: null, before: null };
  const read = (more: object) => readAudit(s.db, { ...page, offset: 0, limit: 100, ...more });
  const [twin] = await s.db.query<{ id: number }>(
    `INSERT INTO mxproof.accounts (name, webhook_secret, test_of) VALUES ('', '', $1) RETURNING id`,
    [s.accountId],
  );
  const note = (accountId: number, action: 'key.created' | 'key.revoked', kind: 'key' | 'command' = 'key') =>
    writeAudit(s.db, { ...THE_SERVICE, kind }, { action, accountId });
  await note(s.accountId, 'key.created', 'command');
  await note(twin!.id, 'key.revoked');
  const both = await read({ accountId: s.accountId, limit: 2 });
  expect(both.map(({ action, accountId }) => [action, accountId])).toEqual([
    ['key.revoked', s.accountId],
    ['key.created', s.accountId],
  ]);
  const [first] = await read({ accountId: s.accountId, isOneMode: true });
  expect(first).toEqual(both[1]);
  expect(await read({ accountId: s.accountId, actor: 'command' })).toEqual([both[1]]);
  expect(await read({ action: 'key.revoked' })).toEqual([both[0]]);
  expect((await read({ before: both[0]!.id }))[0]).toEqual(both[1]);
});

interface PlanNode {
  readonly 'Actual Loops': number;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const stepsOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(stepsOf)];

/** Of the steps of a reading: the most rows that one has looked at, and how often one was done. */
async function costOf(
  page: Partial<Parameters<typeof readAudit>[1]>,
): Promise<{ rows: number; loops: number }> {
  let steps: PlanNode[] = [];
  const explaining: Tx = {
    ...s.db,
    async query<R extends Row>(text: string, values?: readonly unknown[]): Promise<R[]> {
      const explain = 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)';
      const [row] = await s.db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`${explain} ${text}`, values);
      steps = stepsOf(row!['QUERY PLAN'][0].Plan);
      return [];
    },
  };
  const any = { accountId: null, action: null, actor: null, member: null, since: null, before: null };
  await readAudit(explaining, { ...any, offset: 0, limit: 100, ...page });
  return {
    rows: Math.max(...steps.map((step) => step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0))),
    loops: Math.max(...steps.map((step) => step['Actual Loops'])),
  };
}

test('a page of one account costs what it shows, however much the others have written', async () => {
  await s.db.query(
    `INSERT INTO mxproof.audit (at, account_id, action, actor, facts)
     SELECT now(), CASE WHEN n <= 50 THEN 89 ELSE 88 END, 'list.exported', 'key', '{}' FROM generate_series(1, 20000) n`,
  );
  await s.db.query('ANALYZE mxproof.audit');
  for (const accountId of [88, 89, 90])
    for (const isOneMode of [false, true])
      expect((await costOf({ accountId, isOneMode })).rows, `${accountId}`).toBeLessThan(500);
  // Rows that are passed over are counted, and nothing is looked up for them.
  const deep = await costOf({ accountId: 88, isOneMode: true, offset: 15_000 });
  expect(deep).toEqual({ rows: 15_100, loops: 100 });
});
