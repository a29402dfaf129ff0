// erase, backup and restore as an operator types them, on a store that nothing else serves.
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase } from '../../../server/test/database.ts';
import { createFakeChecker } from '../../../server/test/fake-checker.ts';
import { startTestService, type TestService } from '../../../server/test/service.ts';
import { until } from '../../../server/test/until.ts';
import { mxproof, startMxproof } from '../../test/run-mxproof.ts';
import { EXIT } from '../shared/exit-status.ts';

let s: TestService;
let folder: string;
let env: Record<string, string>;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  s = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'mxproof-erase-'));
  env = {
    HOME: folder,
    DATABASE_URL: s.url,
    MXPROOF_DATA_DIR: join(folder, 'data'),
    MXPROOF_SECRET_KEY: 'test',
  };
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await s.close();
  rmSync(folder, { recursive: true });
});

async function emailsOf(): Promise<string[]> {
  const rows = await s.db.query<{ emails: string }>('SELECT emails FROM mxproof.chunks ORDER BY list_id, n');
  return rows.map(({ emails }) => emails);
}

/** Into a new database; `json`: what the command says of it. */
async function restore(file: string, ...options: string[]) {
  const fresh = await freshDatabase();
  closing.push(() => fresh.drop());
  const ran = await mxproof(['restore', file, ...options, '--json'], { ...env, DATABASE_URL: fresh.url });
  return { ...ran, json: ran.status === 0 ? JSON.parse(ran.stdout) : null };
}

test('erase wants --yes and an address, takes any case and no other address, and says what may still hold it', async () => {
  await s.submit(['anna@example.com', 'anna+news@example.com', 'not an address']);
  await s.submit(['anna@example.com']);
  const unsure = await mxproof(['erase', 'anna@example.com'], env);
  expect([unsure.status, unsure.stdout]).toEqual([EXIT.usage, '']);
  expect(unsure.stderr).toMatch(/^What is erased cannot be brought back: add --yes .+\.\n$/);
  const empty = await mxproof(['erase', '  ', '--yes'], env);
  expect(empty.status).toBe(EXIT.failed);
  expect(empty.stderr).toMatch(/^An address has 1 to 1000 characters\.$/m);
  expect((await emailsOf()).join()).toContain('anna@example.com');

  await mxproof(['backup', join(folder, 'own.backup')], env);
  const erased = await mxproof(['erase', ' Anna@Example.COM', '--yes'], env);
  expect(erased.status, erased.stderr).toBe(0);
  const lines = erased.stdout.trimEnd().split('\n');
  expect(lines).toEqual([
    'Erased from 2 lists (2 rows).',
    'The backup made before may hold it until you remove it. A restore erases it again, by the file "erasures" beside the backup.',
    expect.stringMatching(/^PostgreSQL's write-ahead log .+ 1 GB .+ archives and standbys\.$/),
  ]);
  expect(await emailsOf()).toEqual(['["","anna+news@example.com","not an address"]', '[""]']);
  const nowhere = await mxproof(['erase', 'absent@example.com', '--yes'], env);
  expect(nowhere.stdout).toMatch(/^No list has this address\. From now on it is known as erased/);
  const text = await mxproof(['erase', 'not an address', '--yes', '--json'], {
    ...env,
    MXPROOF_BACKUP_DIR: folder,
  });
  expect(JSON.parse(text.stdout)).toMatchObject({ lists: 1, rows: 1, backups: 1, backups_kept: 14 });
  const other = await mxproof(['erase', 'x@example.com', '--yes'], { ...env, MXPROOF_SECRET_KEY: 'another' });
  expect(other.status).toBe(EXIT.failed);
  expect(other.stderr).toMatch(/MXPROOF_SECRET_KEY/);
}, 120_000);

test('restore erases again by the file beside, by one that is named, or says up to when erasures are known', async () => {
  await s.submit(['anna@example.com', 'ben@example.com']);
  const file = join(folder, 'own.backup');
  await mxproof(['backup', file], env);
  await mxproof(['erase', 'anna@example.com', '--yes'], env);
  const erasures = join(folder, 'erasures');
  // A crash has cut a line, and a backup of another store is in the folder too.
  appendFileSync(
    erasures,
    `2026-11-17T21:04:05.678Z 9f86d0\n2999-01-01T00:00:00.000Z ${'0'.repeat(16)} * ${'a'.repeat(64)}\n`,
  );
  const beside = await restore(file);
  expect(beside.json).toMatchObject({ erased_again: 1 });
  expect(beside.stderr).toContain('1 of the 2 addresses erased after this backup are known by another key');

  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  const copy = join(elsewhere, 'copy.backup');
  copyFileSync(file, copy);
  expect((await restore(copy, '--erasures', erasures)).json).toMatchObject({ erased_again: 1 });
  const without = await restore(copy);
  expect(without.json).toMatchObject({ erased_again: null });
  expect(without.stderr).toContain(
    `Erasures are known up to ${without.json.made_at}: addresses that were erased later are in the store again.`,
  );

  // A file that is none stops it before anything is restored, and is not added to.
  const hostile: [string | Buffer, RegExp][] = [
    ['{"anna": 1}\n', /is no file of erasures: line 1/],
    [Buffer.alloc(1_000_000, 'a'), /is no file of erasures: line 1/],
    [`${readFileSync(erasures, 'utf8')}anna@example.com`, /is no file of erasures: line 4/],
  ];
  for (const [text, why] of hostile) {
    writeFileSync(erasures, text);
    const refused = await restore(file);
    expect([refused.status, refused.stdout]).toEqual([EXIT.failed, '']);
    expect(refused.stderr).toMatch(why);
  }
  const zero = await restore(file, '--erasures', '/dev/zero');
  expect(zero.stderr).toMatch(/is no file of erasures/);
  const unwritten = await mxproof(['erase', 'ben@example.com', '--yes'], env);
  expect(unwritten.status).toBe(0);
  expect(unwritten.stderr).toContain(`Cannot write ${erasures}`);
  expect(readFileSync(erasures, 'utf8')).toBe(hostile.at(-1)![0]);
}, 180_000);

test('an erasure that is killed is finished by the next one, each list counted once, and the ledger agrees', async () => {
  const checker = createFakeChecker();
  const node = await s.node(checker);
  const ids: number[] = [];
  for (let each = 0; each < 30; each++)
    ids.push(
      (await s.submit(['slow@example.com', each % 2 ? `ok${each}@example.com` : `slow${each}@example.com`]))
        .id,
    );
  await until(async () => {
    if (checker.asked.size < 16) throw new Error('not asked yet');
  });
  // In its way, so that it dies in the middle of this list.
  let killed = false;
  await s.db.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM mxproof.lists WHERE id = $1 FOR UPDATE', [ids[12]]);
    const erasing = startMxproof(['erase', 'slow@example.com', '--yes'], env);
    await until(async () => {
      const [row] = await s.db.query<{ lists: number }>('SELECT lists FROM mxproof.erasures');
      if (row?.lists !== 12) throw new Error(`${row?.lists} lists`);
    });
    killed = erasing.kill('SIGKILL');
    await erasing.ran;
  });
  expect(killed).toBe(true);
  const left = (await emailsOf()).filter((each) => each.includes('"slow@'));
  expect(left).toHaveLength(18);
  const again = await mxproof(['erase', 'slow@example.com', '--yes', '--json'], env);
  expect(JSON.parse(again.stdout)).toMatchObject({ lists: 30, rows: 30 });
  checker.release();
  for (const id of ids) await s.done(id);
  await node.stop();
  expect((await emailsOf()).join()).not.toContain('"slow@');
  const [sums] = await s.db.query(
    'SELECT sum(unknown)::int AS unknown, sum(deliverable)::int AS deliverable FROM mxproof.lists',
  );
  expect(sums).toEqual({ unknown: 30, deliverable: 30 });
  const verified = await mxproof(['ledger', 'verify'], env);
  expect(verified.status, verified.stdout).toBe(0);
  const [account] = await s.db.query('SELECT used FROM mxproof.accounts WHERE id = $1', [s.accountId]);
  expect(account).toEqual({ used: 30 });
  expect(await s.db.query('SELECT sealed FROM mxproof.erasures')).toEqual([{ sealed: null }]);
}, 120_000);
