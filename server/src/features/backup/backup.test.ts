// Backups of a real store in use, restored into another one.
import { zstdDecompressSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { auditRowsIn } from '../../../test/audit-rows.ts';
import { freshDatabase, type TestDatabase } from '../../../test/database.ts';
import { createFakeChecker } from '../../../test/fake-checker.ts';
import { addresses, quiet, startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { createContext } from '../../flow/context.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { writeAudit } from '../../store/audit.ts';
import { openDatabase } from '../../store/database.ts';
import { createJobs } from '../../store/jobs.ts';
import { applyMigrations, newestVersion } from '../../store/migrate.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';
import { startNode } from '../../worker/node.ts';
import { startNotifications } from '../../worker/notifications.ts';
import { dropAuditMonths } from '../audit/stored-months.ts';
import { readFrames, readJson } from './backup-file.ts';
import { restoreBackup, verifyBackup } from './restore-backup.ts';
import { openKey, sealKey } from './sealed-key.ts';
import { SIGN_INS } from './snapshot-tables.ts';
import { writeBackup } from './write-backup.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function service(): Promise<TestService> {
  const started = await startTestService();
  closing.push(() => started.close());
  return started;
}

function open({ url }: Pick<TestDatabase, 'url'>) {
  const db = openDatabase({ url, poolSize: 6, onError: () => {} });
  closing.push(() => db.close());
  return db;
}

async function empty() {
  const fresh = await freshDatabase();
  closing.push(() => fresh.drop());
  return open(fresh);
}

async function backupOf(
  db: Parameters<typeof writeBackup>[0]['db'],
  more: { leftOut?: readonly string[] } = {},
): Promise<Buffer> {
  const parts: Buffer[] = [];
  const write = async (bytes: Buffer) => void parts.push(Buffer.from(bytes));
  await writeBackup({ db, secretKey: null, write, ...more });
  return Buffer.concat(parts);
}

async function* bytesOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += 50_000) yield file.subarray(at, at + 50_000);
}

/** Each table's text, as COPY gave it. */
async function tablesIn(file: Buffer): Promise<Map<string, string>> {
  const tables = new Map<string, string>();
  let name = '';
  for await (const { kind, payload } of readFrames(bytesOf(file))) {
    if (kind === 'table') name = (readJson(payload) as { name: string }).name;
    if (kind === 'data')
      tables.set(name, (tables.get(name) ?? '') + zstdDecompressSync(payload).toString('latin1'));
    if (kind === 'sequences') tables.set('sequences', payload.toString());
  }
  return tables;
}

test('a store in use comes back byte for byte, and a list that was running goes on', async () => {
  const { db, submit, done, node, accountId } = await service();
  const stopped = createFakeChecker({ width: 100 });
  const first = await node(stopped);
  const finished = await submit(addresses(600), { name: 'tab\there \\ and \u2028 "quotes"' });
  await done(finished.id);
  const running = await submit([
    ...addresses(300, 'no'),
    ...addresses(40, 'slow'),
    ...addresses(60, 'unknown'),
  ]);
  await until(async () => {
    const [row] = await db.query<{ checked: number }>('SELECT checked FROM mxproof.lists WHERE id = $1', [
      running.id,
    ]);
    if (row!.checked < 250) throw new Error(`${row!.checked} checked`);
  });
  const file = await backupOf(db);
  stopped.release();
  await first.stop();

  const second = await empty();
  const restored = await restoreBackup({ db: second, source: bytesOf(file) });
  expect(restored).toMatchObject({ from: newestVersion(), to: newestVersion() });
  expect(await tablesIn(await backupOf(second))).toEqual(await tablesIn(file));

  const context = createContext(second, createJobs(second, { safetyNetSeconds: 1 }), null);
  const notifications = startNotifications(second, quiet);
  closing.push(() => notifications.stop());
  const checker = createFakeChecker();
  const other = startNode({ context, checker, sources: [], keepEvidence: true, log: quiet, notifications });
  closing.push(() => other.stop());
  await until(async () => {
    checker.release();
    const [row] = await second.query<{ status: string }>('SELECT status FROM mxproof.lists WHERE id = $1', [
      running.id,
    ]);
    if (row!.status !== 'done') throw new Error(row!.status);
  });
  const [list] = await second.query(
    'SELECT total, checked, undeliverable, deliverable, unknown FROM mxproof.lists WHERE id = $1',
    [running.id],
  );
  expect(list).toEqual({ total: 400, checked: 400, undeliverable: 300, deliverable: 40, unknown: 60 });
  expect(await verifyLedger(second)).toMatchObject({ differences: [] });
  const [{ used } = { used: 0 }] = await second.query<{ used: number }>(
    'SELECT used FROM mxproof.accounts WHERE id = $1',
    [accountId],
  );
  expect(used).toBe(600 + 340);
  // New rows get numbers that no restored one has.
  await expect(
    second.query(`INSERT INTO mxproof.ledger (account_id, kind, amount) VALUES ($1, 'grant', 1)`, [
      accountId,
    ]),
  ).resolves.toBeDefined();
}, 60_000);

test('one snapshot: what is written while it is made is not in it', async () => {
  const { db, submit } = await service();
  await submit(addresses(10));
  const parts: Buffer[] = [];
  let isWritten = false;
  await writeBackup({
    db,
    secretKey: null,
    async write(bytes) {
      parts.push(Buffer.from(bytes));
      if (!isWritten) await submit(addresses(10, 'later'));
      isWritten = true;
    },
  });
  const second = await empty();
  await restoreBackup({ db: second, source: bytesOf(Buffer.concat(parts)) });
  const [count] = await second.query(
    'SELECT (SELECT count(*) FROM mxproof.lists) AS lists, (SELECT count(*) FROM mxproof.chunks) AS chunks, (SELECT count(*) FROM mxproof.jobs) AS jobs',
  );
  expect(count).toEqual({ lists: 1, chunks: 1, jobs: 1 });
});

test('a store that has an account is refused and stays as it is', async () => {
  const { db, submit } = await service();
  await submit(addresses(5));
  const file = await backupOf(db);
  const before = await tablesIn(file);
  await expect(restoreBackup({ db, source: bytesOf(file) })).rejects.toThrow('This store is not empty');
  expect(await tablesIn(await backupOf(db))).toEqual(before);
});

test('a damaged backup leaves an empty store empty', async () => {
  const { db, submit } = await service();
  await submit(addresses(500));
  const file = await backupOf(db);
  expect(await verifyBackup(bytesOf(file))).toMatchObject({ header: { version: newestVersion() } });
  const damaged = Buffer.from(file);
  damaged[file.length - 200]! ^= 1;
  const second = await empty();
  for (const broken of [damaged, file.subarray(0, file.length - 100)]) {
    await expect(verifyBackup(bytesOf(broken))).rejects.toThrow(/is damaged|is cut off/);
    await expect(restoreBackup({ db: second, source: bytesOf(broken) })).rejects.toThrow(
      /is damaged|is cut off/,
    );
    const [found] = await second.query(`SELECT to_regnamespace('mxproof')::text AS schema`);
    expect(found).toEqual({ schema: null });
  }
});

test('a backup of an older version is migrated, one of a newer version is refused', async () => {
  const old = await empty();
  await old.transaction((tx) => applyMigrations(tx, 13));
  await old.query(`INSERT INTO mxproof.accounts (name, credits, webhook_secret) VALUES ('old', 7, '')`);
  await old.query(`INSERT INTO mxproof.ledger (account_id, kind, amount) VALUES (1, 'grant', 7)`);
  const file = await backupOf(old);
  const second = await empty();
  expect(await restoreBackup({ db: second, source: bytesOf(file) })).toMatchObject({
    from: 13,
    to: newestVersion(),
  });
  expect(await second.query('SELECT name, credits FROM mxproof.accounts')).toEqual([
    { name: 'old', credits: 7 },
  ]);

  await old.query('INSERT INTO mxproof.migrations (version) VALUES (9999)');
  const newer = await backupOf(old);
  await expect(restoreBackup({ db: await empty(), source: bytesOf(newer) })).rejects.toThrow(
    'of a newer MXProof',
  );
});

test('the secret key is sealed with the passphrase, and no other opens it', async () => {
  const sealed = await sealKey('the key', 'a passphrase');
  expect(sealed).not.toContain('the key');
  expect(await openKey(sealed, 'a passphrase')).toBe('the key');
  await expect(openKey(sealed, 'another')).rejects.toThrow('MXPROOF_BACKUP_PASSPHRASE is not the one');
  await expect(openKey('AAAA', 'a passphrase')).rejects.toThrow('MXPROOF_BACKUP_PASSPHRASE is not the one');
});

test('nobody is signed in after a restore, also of a backup that has sessions and links', async () => {
  const { db } = await service();
  for (const row of [
    `sessions (account_id, hash) SELECT id, 'a' FROM mxproof.accounts`,
    `sign_in_links (account_id, hash) SELECT id, 'a' FROM mxproof.accounts`,
    `operator_sessions (hash) VALUES ('a')`,
    `operator_links (hash) VALUES ('a')`,
    `members (account_id, email, role) SELECT id, 'a@x.test', 'owner' FROM mxproof.accounts`,
    `invitations (member_id, hash, by_mail) SELECT id, 'a', true FROM mxproof.members`,
    `mailed_links (email, hash) VALUES ('a@x.test', 'a')`,
    `link_mails (kind, email) VALUES ('sign_in', 'a@x.test')`,
    `openid_flows (state_hash, browser_hash, nonce, verifier) VALUES ('a', 'a', 'a', 'a')`,
  ])
    await db.query(`INSERT INTO mxproof.${row}`);
  const [file, older] = [await backupOf(db), await backupOf(db, { leftOut: [] })];
  const has = async (backup: Buffer) =>
    [...(await tablesIn(backup)).keys()].filter((name) => SIGN_INS.includes(name));
  expect([await has(file), (await has(older)).length]).toEqual([[], SIGN_INS.length]);
  for (const backup of [file, older]) {
    const restored = await empty();
    await restoreBackup({ db: restored, source: bytesOf(backup) });
    for (const name of SIGN_INS)
      expect(await restored.query(`SELECT FROM mxproof.${name}`), name).toEqual([]);
  }
});

test('the audit trail comes back with months that a fresh store does not have, and still only grows', async () => {
  const { db } = await service();
  for (const month of ['2020-01-31T23:00:00Z', '2020-03-01T00:00:00Z'])
    await db.query('SELECT mxproof.make_audit_month($1::timestamptz)', [month]);
  await db.query(
    `INSERT INTO mxproof.audit (at, account_id, action, actor, actor_name, facts)
     SELECT at, 7, 'account.changed', 'command', 'root', '{"changes": {"low_credits": [null, 5]}}'
     FROM unnest($1::timestamptz[]) AS at`,
    [['2020-01-31T23:59:59.999Z', '2020-03-01T00:00:00Z']],
  );
  await db.query(
    `INSERT INTO mxproof.admin_answers (holder, key, request_hash, status, answer) VALUES ('key 1', 'a', '', 200, '');
     INSERT INTO mxproof.audited_exports VALUES (1, 'key 1', now());
     INSERT INTO mxproof.started_settings VALUES ('mx1', '{}')`,
  );
  const file = await backupOf(db);
  const second = await empty();
  await restoreBackup({ db: second, source: bytesOf(file) });
  expect(await tablesIn(await backupOf(second))).toEqual(await tablesIn(file));
  const rows = await auditRowsIn(db);
  expect(rows.length).toBeGreaterThan(2);
  expect(await auditRowsIn(second)).toEqual(rows);
  const [left] = await second.query(
    `SELECT (SELECT count(*) FROM mxproof.admin_answers) AS answers, (SELECT count(*) FROM mxproof.audited_exports) AS exports,
       (SELECT count(*) FROM mxproof.started_settings) AS settings`,
  );
  expect(left).toEqual({ answers: 0, exports: 0, settings: 0 });
  for (const table of ['audit', 'audit_2020_01', 'audit_2020_03'])
    for (const statement of [
      `UPDATE mxproof.${table} SET actor_name = ''`,
      `DELETE FROM mxproof.${table}`,
      `TRUNCATE mxproof.${table}`,
    ])
      await expect(second.query(statement), statement).rejects.toThrow('only grows');
  // New rows get numbers that no restored one has.
  await writeAudit(second, THE_SERVICE, { action: 'account.changed', accountId: 7 });
  const ids = await second.query<{ id: number }>('SELECT id FROM mxproof.audit ORDER BY id');
  expect(new Set(ids.map(({ id }) => id)).size).toBe(rows.length + 1);
  await dropAuditMonths(second, 12);
  expect((await auditRowsIn(second)).filter(({ actor_name }) => actor_name === 'root')).toEqual([]);
});

test('a month is not dropped while a backup is made of it', async () => {
  const { db } = await service();
  await db.query(`SELECT mxproof.make_audit_month('2020-01-15')`);
  await db.query(
    `INSERT INTO mxproof.audit (at, account_id, action, actor, facts) VALUES ('2020-01-15', 7, 'account.changed', 'service', '{}')`,
  );
  const parts: Buffer[] = [];
  let tries = 0;
  await writeBackup({
    db,
    secretKey: null,
    async write(bytes) {
      // Before its table is copied.
      if (tries++ === 2) await dropAuditMonths(db, 12);
      parts.push(Buffer.from(bytes));
    },
  });
  expect(tries).toBeGreaterThan(2);
  expect((await tablesIn(Buffer.concat(parts))).get('audit_2020_01')).toContain('account.changed');
  await dropAuditMonths(db, 12);
  expect((await tablesIn(await backupOf(db))).has('audit_2020_01')).toBe(false);
});
