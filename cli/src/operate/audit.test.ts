// The audit trail as an operator reads and exports it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeCredits } from '../../../server/src/flow/change-credits.ts';
import { type Actor, THE_SERVICE } from '../../../server/src/rules/audit.ts';
import { writeAudit } from '../../../server/src/store/audit.ts';
import { startTestService, type TestService } from '../../../server/test/service.ts';
import { mxproof } from '../../test/run-mxproof.ts';
import { EXIT } from '../shared/exit-status.ts';

const LAUNCHER = join(import.meta.dirname, '../../bin/mxproof.mjs');
/** More than a page of the export, and than a pipe holds. */
const MANY = 2_500;
const OPERATOR: Actor = { kind: 'admin_key', id: 7, name: null, client: '203.0.113.5', requestId: null };

let s: TestService;
let env: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'mxproof-audit-'));
beforeAll(async () => {
  s = await startTestService();
  env = { HOME: folder, DATABASE_URL: s.url, MXPROOF_DATA_DIR: folder };
  const wanted = { accountId: s.accountId, amount: 25, note: 'an invoice', key: null };
  await changeCredits(s.db, OPERATOR, wanted);
});
afterAll(async () => {
  await s.close();
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => mxproof(['audit', ...args], env);

interface Entry {
  readonly id: number;
  readonly action: string;
}

async function entries(...args: string[]): Promise<Entry[]> {
  const { status, stdout, stderr } = await run(...args, '--json');
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as Entry[];
}

const exported = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry & { actor: object });

test('the trail is a table, newest first, of numbers before and after, and of text no more than that it changed', async () => {
  const [heading, row] = (await run('--account', `${s.accountId}`)).stdout
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
  expect(heading).toEqual(['when', 'account', 'what', 'to', 'by', 'from', 'changed']);
  expect(row).toEqual([
    ...[expect.stringMatching(/Z$/), `${s.accountId}`, 'credits.changed', '-', 'admin_key 7', '203.0.113.5'],
    'credits: 1000000 → 1000025, note',
  ]);
  expect((await run('--account', '999')).stdout).toBe('Nothing in the audit trail matches.\n');
});

test('as JSON it is what the API has, and filters choose', async () => {
  const [newest] = await entries('--limit', '1');
  expect(newest).toMatchObject({
    ...{ action: 'credits.changed', account_id: s.accountId, subject: null, client: '203.0.113.5' },
    ...{ actor: { kind: 'admin_key', id: 7, name: null }, changed: ['note'] },
    changes: { credits: { before: 1_000_000, after: 1_000_025 } },
  });
  const actions = async (...args: string[]) => (await entries(...args)).map(({ action }) => action);
  expect(await actions('--actor', 'service')).toEqual(['account.created']);
  expect(await actions('--action', 'credits.changed')).toEqual(['credits.changed']);
  expect(await actions('--since', '2001-01-01')).toEqual(['credits.changed', 'account.created']);
  expect(await actions('--since', '2999-01-01T10:00Z')).toEqual([]);
  for (const args of [
    ['--ndjson', '--json'],
    ['--ndjson', '--limit', '5'],
  ])
    expect((await run(...args)).status, args.join(' ')).toBe(EXIT.usage);
});

test('an export has everything that matches, itself first, and reading a page is none', async () => {
  await s.db.transaction(async (tx) => {
    for (let n = 0; n < MANY; n++)
      await writeAudit(tx, THE_SERVICE, {
        action: 'credits.granted',
        accountId: s.accountId,
        changes: { credits: [n, n + 1] },
      });
  });
  const before = (await entries('--limit', '1'))[0]!.id;
  const all = exported((await run('--ndjson')).stdout);
  expect(all[0]).toMatchObject({
    action: 'audit.exported',
    actor: { kind: 'command', name: userInfo().username },
  });
  expect(all).toHaveLength(MANY + 3);
  expect(all[0]!.id).toBe(before + 1);
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((a, b) => b - a));
  const only = ['audit', '--ndjson', '--account', `${s.accountId}`];
  const ofAccount = exported((await mxproof(only, { ...env, SUDO_USER: 'anna' })).stdout);
  expect(ofAccount).toHaveLength(MANY + 2);
  expect((await entries('--limit', '1'))[0]).toMatchObject({
    ...{ action: 'audit.exported', actor: { kind: 'command', name: 'anna' }, account_id: null },
    changes: { account: { before: null, after: s.accountId } },
  });
});

test('a reader that has seen enough ends an export quietly, and it is in the trail all the same', async () => {
  const before = (await entries('--action', 'audit.exported')).length;
  const child = spawn(process.execPath, [LAUNCHER, 'audit', '--ndjson'], {
    env: { PATH: process.env.PATH, ...env },
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [status] = await once(child, 'close');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(await entries('--action', 'audit.exported')).toHaveLength(before + 1);
});
