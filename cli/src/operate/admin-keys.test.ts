// Admin keys as an operator makes and revokes them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAdminKeys } from '../../../server/src/features/operator/stored-admin-keys.ts';
import { readAdminKey } from '../../../server/src/rules/api-key.ts';
import { startTestService, type TestService } from '../../../server/test/service.ts';
import { mxproof } from '../../test/run-mxproof.ts';
import { EXIT } from '../shared/exit-status.ts';

let s: TestService;
const folder = mkdtempSync(join(tmpdir(), 'mxproof-admin-keys-'));
beforeAll(async () => {
  s = await startTestService();
});
afterAll(async () => {
  await s.close();
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) =>
  mxproof(['admin', 'key', ...args], { HOME: folder, DATABASE_URL: s.url, MXPROOF_DATA_DIR: folder });

test('a key is shown once, may what its scope says, from where it is allowed, and nothing once it is revoked', async () => {
  expect((await run('list')).stdout).toMatch(/^No admin keys: /);
  const options = ['--label', 'billing', '--expires', '2099-12-31', '--allow-ip', '203.0.113.0/24'];
  const made = await run('create', '--scope', 'write', ...options, '--json');
  const { admin_key: adminKey, ...rest } = JSON.parse(made.stdout) as Record<string, unknown>;
  expect(rest).toEqual({ key_id: 1, scope: 'write' });
  const find = async (key: unknown) => (await findAdminKeys(s.db, [readAdminKey(String(key))!]))[0];
  expect(await find(adminKey)).toEqual({ keyId: 1, scope: 'write', allowedIps: ['203.0.113.0/24'] });

  const second = (await run('create', '--scope', 'read')).stdout;
  const [readKey] = /mx_admin_[\w-]{43}/.exec(second)!;
  expect(second).toMatch(/^key +2\nscope +read\nadmin key +mx_admin_\S+\nThe admin key is shown only once: /);
  expect(await find(readKey)).toMatchObject({ scope: 'read', allowedIps: null });

  const revoked = await run('revoke', '1');
  expect(revoked.stdout).toMatch(/^Admin key 1 revoked; /);
  expect(await find(adminKey)).toBeNull();
  const again = await run('revoke', '1');
  expect([again.status, again.stderr]).toEqual([
    EXIT.failed,
    expect.stringMatching(/^Admin key not found or already revoked: "mxproof admin key list"/),
  ]);

  const listed = await run('list', '--json');
  expect(listed.stdout).not.toContain(adminKey);
  expect(JSON.parse(listed.stdout)).toMatchObject([
    {
      ...{ key_id: 1, prefix: expect.stringMatching(/^mx_admin_.{8}$/), label: 'billing', scope: 'write' },
      ...{ expires_at: Date.parse('2099-12-31') / 1000, allowed_ips: ['203.0.113.0/24'] },
      ...{ created_at: expect.any(Number), revoked_at: expect.any(Number) },
    },
    { key_id: 2, label: '', scope: 'read', expires_at: null, allowed_ips: null, revoked_at: null },
  ]);
  const table = (await run('list')).stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(table[0]).toEqual([
    'key',
    'begins with',
    'label',
    'scope',
    'created',
    'last used',
    'expires',
    'revoked',
  ]);
  expect(table[1]!.slice(2, 4)).toEqual(['billing', 'write']);
});
