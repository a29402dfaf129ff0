// account suspend, resume, set, list and delete as an operator types them, beside a service and without one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteAccount } from '../../../server/src/flow/delete-account.ts';
import { THE_SERVICE } from '../../../server/src/rules/audit.ts';
import { verifyLedger } from '../../../server/src/store/verify-ledger.ts';
import { createFakeChecker } from '../../../server/test/fake-checker.ts';
import { addresses, startTestService, type TestService } from '../../../server/test/service.ts';
import { until } from '../../../server/test/until.ts';
import { mxproof, onTerminal } from '../../test/run-mxproof.ts';
import { EXIT } from '../shared/exit-status.ts';

let s: TestService;
let folder: string;
let env: Record<string, string>;
beforeEach(async () => {
  s = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'mxproof-life-'));
  env = { HOME: folder, DATABASE_URL: s.url, MXPROOF_DATA_DIR: folder, MXPROOF_SECRET_KEY: 'test' };
});
afterEach(async () => {
  await s.close();
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => mxproof(['account', ...args], env);

async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { status, stdout, stderr } = await run(...args, '--json');
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

const trail = (accountId: number) =>
  s.db.query<{ action: string; facts: object }>(
    'SELECT action, facts FROM mxproof.audit WHERE account_id = $1 ORDER BY id',
    [accountId],
  );

const left = async (accountId: number) => {
  const [row] = await s.db.query<{ lists: number; chunks: number; jobs: number }>(
    `SELECT (SELECT count(*) FROM mxproof.lists WHERE account_id = $1) AS lists,
       (SELECT count(*) FROM mxproof.chunks c WHERE NOT EXISTS (SELECT FROM mxproof.lists l WHERE l.id = c.list_id)) AS chunks,
       (SELECT count(*) FROM mxproof.jobs WHERE account_id = $1) AS jobs`,
    [accountId],
  );
  return row;
};

test('all that one call sets is set together, or nothing of it, and is one row of the trail', async () => {
  const { account_id: id } = await json<{ account_id: number }>(
    'create',
    '--name',
    'Ann',
    '--external-id',
    'c-1',
  );
  const other = await json<{ account_id: number }>(
    'create',
    '--name',
    'Bob',
    '--credits',
    '5',
    '--note',
    'gift',
  );
  const set = await json(
    ...['set', `${id}`, '--external-id', ' c-2 ', '--rate-requests', '60', '--rate-addresses', '5000'],
    ...['--monthly-credits', '900', '--results-days', '30', '--mail', 'ann@example.com', '--outcomes', 'on'],
  );
  expect(set).toMatchObject({
    ...{ account_id: id, external_id: 'c-2', rate_requests: 60, rate_addresses: 5_000, monthly_credits: 900 },
    monthly_from: expect.stringMatching(/^\d{4}-\d\d/),
    ...{ retention: { results: 30, evidence: null }, mail: 'ann@example.com', outcomes: true },
  });
  expect((await trail(id)).slice(1)).toEqual([
    {
      action: 'account.changed',
      facts: {
        changes: {
          rate_requests: [null, 60],
          rate_addresses: [null, 5_000],
          results_days: [null, 30],
          monthly_credits: [null, 900],
          outcomes: [false, true],
        },
        changed: ['external_id', 'mail'],
      },
    },
  ]);

  const taken = await run('set', `${other.account_id}`, '--rate-requests', '1', '--external-id', 'c-2');
  expect(taken.status).toBe(EXIT.failed);
  expect(taken.stderr).toMatch(
    /^Another account has this external ID: "mxproof account list --search" finds it\.$/m,
  );
  expect((await run('create', '--name', 'Cid', '--external-id', 'c-2')).stderr).toMatch(
    /^Another account has /m,
  );
  expect(await json('show', `${other.account_id}`)).toMatchObject({ external_id: null, rate_requests: null });

  await json('set', `${id}`, '--no-external-id', '--rate-addresses', 'default', '--monthly-credits', 'off');
  const shown = (await run('show', `${id}`)).stdout.trimEnd().split('\n').slice(-6);
  expect(shown).toEqual([
    'External ID: none',
    'Requests a minute for each key: 60',
    'Addresses a minute for each key: as the deployment says',
    'Monthly credits: none',
    'Outcomes: on',
    'Mail: ann@example.com',
  ]);
});

test('accounts are found by name, external id and status', async () => {
  const open = async (name: string, externalId: string) =>
    (await json<{ account_id: number }>('create', '--name', name, '--external-id', externalId)).account_id;
  const [ann, bob] = [await open('Ann_50%', 'c-100'), await open('Bob', 'c-200')];
  const found = async (...args: string[]) =>
    (await json<{ account_id: number }[]>('list', ...args)).map((each) => each.account_id);
  expect(await found()).toEqual([s.accountId, ann, bob]);
  expect(await found('--search', 'n_50%')).toEqual([ann]);
  expect(await found('--search', 'C-2')).toEqual([bob]);
  expect(await found('--search', `${bob}`)).toEqual([bob]);
  await json('suspend', `${bob}`);
  expect(await found('--status', 'suspended')).toEqual([bob]);
  expect(await found('--status', 'active', '--search', 'c-')).toEqual([ann]);
  expect((await run('list', '--search', 'nowhere')).stdout).toBe('No account matches.\n');
  const table = (await run('list')).stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(table[0]).toEqual([
    'account',
    'name',
    'external ID',
    'status',
    'credits',
    'used',
    'lists',
    'created',
  ]);
  expect(table[3]!.slice(0, 5)).toEqual([`${bob}`, 'Bob', 'c-200', 'suspended', '0']);
});

test('suspend and resume say what that means, and once is enough', async () => {
  const id = `${s.accountId}`;
  const suspended = await run('suspend', id);
  expect(suspended.stdout).toMatch(/^Account \d+ \(tester\) is suspended: it can start nothing new\.\n/);
  expect(suspended.stdout).toContain(`\n  mxproof account resume ${id}\n`);
  expect(await json('suspend', id)).toMatchObject({ status: 'suspended' });
  expect((await run('resume', id)).stdout).toBe(`Account ${id} (tester) is active.\n`);
  expect((await trail(s.accountId)).slice(1).map(({ facts }) => facts)).toEqual([
    { changes: { status: ['active', 'suspended'] } },
    { changes: { status: ['suspended', 'active'] } },
  ]);
  for (const args of [['suspend'], ['resume'], ['delete'], ['delete', '--yes'], ['set']])
    expect((await run(...args, '999999')).stderr, args.join(' ')).toMatch(/^Account not found: /m);
});

test('delete wants --yes, says what goes and what stays, and leaves nothing but the ledger and the trail', async () => {
  await s.submit(['ann@example.com', 'bob@example.com']);
  await s.submit(['ann@example.com'], { name: 'secret plans' });
  const id = `${s.accountId}`;
  const unsure = await run('delete', id);
  expect([unsure.status, unsure.stdout]).toEqual([EXIT.usage, '']);
  expect(unsure.stderr).toMatch(
    /^Account \d+ \(tester\) has \d+ credits and 2 lists\. Deleting it cannot be undone: .+ Add --yes to delete it\.$/m,
  );
  expect(await left(s.accountId)).toMatchObject({ lists: 2 });

  const done = await run('delete', id, '--yes');
  expect(done.status, done.stderr).toBe(0);
  expect(done.stdout).toMatch(
    /^Account \d+ is deleted, with its keys, browsers, lists and results\.\nA row without a name,/,
  );
  expect(await left(s.accountId)).toEqual({ lists: 0, chunks: 0, jobs: 0 });
  expect((await trail(s.accountId)).at(-1)).toMatchObject({ action: 'account.deleted' });
  expect(await s.db.query('SELECT name FROM mxproof.accounts WHERE id = $1', [s.accountId])).toEqual([
    { name: '' },
  ]);
  expect(await verifyLedger(s.db)).toMatchObject({ differences: [] });
  const rows = (await trail(s.accountId)).length;
  const again = await run('delete', id, '--yes');
  expect([again.status, again.stderr.includes('Account not found')]).toEqual([EXIT.failed, true]);
  const rotated = await mxproof(['secret', 'rotate', id], env);
  expect([rotated.status, rotated.stderr.includes('Account not found')]).toEqual([EXIT.failed, true]);
  expect(await trail(s.accountId)).toHaveLength(rows);
});

test('a deletion that was cut off goes on when it is run again, and is one row of the trail', async () => {
  await s.submit(['ann@example.com']);
  // As far as it comes before it is killed.
  await deleteAccount({ db: s.db }, THE_SERVICE, s.accountId, { forMs: 0 });
  expect(await left(s.accountId)).toMatchObject({ lists: 1 });
  expect(await json('delete', `${s.accountId}`, '--yes')).toEqual({ account_id: s.accountId, deleted: true });
  expect(await left(s.accountId)).toEqual({ lists: 0, chunks: 0, jobs: 0 });
  expect((await trail(s.accountId)).filter(({ action }) => action === 'account.deleted')).toHaveLength(1);
});

test('beside nodes that check its lists, a deletion leaves nothing either, and the ledger agrees', async () => {
  const checker = createFakeChecker({ width: 1_000 });
  const node = await s.node(checker);
  for (const count of [300, 600, 20]) await s.submit(addresses(count, 'slow'));
  const done = await s.submit(addresses(400));
  await s.done(done.id);
  await until(async () => expect(checker.asked.size).toBeGreaterThan(500));
  expect(await json('delete', `${s.accountId}`, '--yes')).toMatchObject({ deleted: true });
  checker.release();
  await node.stop();
  expect(await left(s.accountId)).toEqual({ lists: 0, chunks: 0, jobs: 0 });
  const { differences } = await verifyLedger(s.db);
  expect(differences).toEqual([]);
});

test('on a terminal a deletion shows that it goes on', async () => {
  await s.submit(['ann@example.com']);
  const shown = await onTerminal(['account', 'delete', `${s.accountId}`, '--yes'], env).ran;
  expect(shown.stdout).toMatch(/\d+ steps done/);
  expect(shown.stdout).toContain(`Account ${s.accountId} is deleted`);
});
