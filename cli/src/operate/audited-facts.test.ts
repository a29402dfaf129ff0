// What an operator's commands leave in the audit trail: one row each, by the user and machine that ran them.
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRowsIn, writtenBy } from '../../../server/test/audit-rows.ts';
import { startTestService, type TestService } from '../../../server/test/service.ts';
import { mxproof } from '../../test/run-mxproof.ts';

let s: TestService;
const home = mkdtempSync(join(tmpdir(), 'mxproof-audited-'));
beforeAll(async () => {
  s = await startTestService();
});
afterAll(async () => {
  await s.close();
  rmSync(home, { recursive: true, force: true });
});

const run = (words: string, env: Record<string, string> = {}) =>
  mxproof(words.split(' '), {
    ...{ HOME: home, MXPROOF_DATA_DIR: home, DATABASE_URL: s.url, MXPROOF_SECRET_KEY: 'test', ...env },
  });

/** Its JSON, if it has one, and the rows that it leaves. */
async function written(words: string, env?: Record<string, string>) {
  const { rows, done } = await writtenBy(s.db, () => run(words, env));
  expect(done.status, done.stderr).toBe(0);
  for (const row of rows)
    expect(row).toMatchObject({
      ...{ actor: 'command', actor_id: null, actor_name: userInfo().username },
      ...{ client: hostname(), request_id: null },
    });
  return { rows, json: words.endsWith('--json') ? JSON.parse(done.stdout) : null };
}

const told = (rows: Awaited<ReturnType<typeof auditRowsIn>>) =>
  rows.map(({ action, account_id, subject_id, facts }) => [action, account_id, subject_id, facts]);

test('each command that changes something leaves one row', async () => {
  const { rows: opened, json: account } = await written('account create --name Private --credits 7 --json');
  const id = account.account_id;
  expect(told(opened)).toEqual([
    ['account.created', id, null, { changes: { credits: [null, 7] }, changed: ['name'] }],
  ]);
  expect(told((await written(`credits add ${id} 3 --note Private --idempotency-key a`)).rows)).toEqual([
    ['credits.changed', id, null, { changes: { credits: [7, 10] }, changed: ['note'] }],
  ]);
  expect((await written(`credits add ${id} 3 --note Private --idempotency-key a`)).rows).toEqual([]);
  const { rows: made, json: key } = await written(`key create ${id} --test --rate-requests 5 --json`);
  expect(told(made)).toEqual([
    [
      ...['key.created', id, key.key_id],
      {
        changes: {
          test: [null, true],
          manage: [null, true],
          access: [null, 'full'],
          rate_requests: [null, 5],
        },
        changed: ['label'],
      },
    ],
  ]);
  expect(told((await written(`key revoke ${key.key_id}`)).rows)).toEqual([
    ['key.revoked', id, key.key_id, {}],
  ]);
  for (const [words, expected] of [
    [`secret rotate ${id}`, ['webhook_secret.replaced', id, null, {}]],
    [`account link ${id}`, ['link.created', id, null, {}]],
    [`account sign-out ${id}`, ['sessions.ended', id, null, { changes: { sessions: [0, 0] } }]],
    ['admin link', ['operator.link_created', null, null, {}]],
    [
      'admin key create --scope read --label Private --allow-ip 10.0.0.1',
      [
        ...['admin_key.created', null, expect.any(Number)],
        { changes: { scope: [null, 'read'] }, changed: ['label', 'allowed_ips'] },
      ],
    ],
    ['admin sign-out', ['operators.signed_out', null, null, { changes: { sessions: [0, 0] } }]],
    [
      'sources rest own google --hours 2',
      [
        ...['source.rested', null, null],
        {
          changes: {
            ...{ source: [null, 'own'], provider: [null, 'google'] },
            ...{ rested_by: [null, 'operator'], seconds: [null, 7200] },
          },
        },
      ],
    ],
    [
      'sources resume own google',
      [
        ...['source.resumed', null, null],
        {
          changes: { source: ['own', null], provider: ['google', null], rested_by: ['operator', null] },
        },
      ],
    ],
  ] as const)
    expect(told((await written(words)).rows), words).toEqual([expected]);

  const list = await s.submit(['anna@private.example']);
  expect(told((await written(`list cancel ${list.id} --any`)).rows)).toEqual([
    ['list.cancelled', s.accountId, list.id, { changes: { status: ['processing', 'failed'] } }],
  ]);
  await s.db.query(
    `INSERT INTO mxproof.callbacks (list_id, account_id, url, body, state) VALUES ($1, $2, 'https://private.example/', '{}', 'delivered')`,
    [list.id, s.accountId],
  );
  expect(told((await written(`callback resend ${list.id}`)).rows)).toEqual([
    ['callback.resent', s.accountId, list.id, { changes: { state: ['delivered', 'pending'] } }],
  ]);
  const [erased, ...more] = (await written('erase anna@private.example --yes')).rows;
  expect([erased, more]).toMatchObject([
    { action: 'address.erased', account_id: null, subject_id: expect.any(Number), facts: {} },
    [],
  ]);
});

test('a rotation of the secret key is one row, and a lost key one for each account besides', async () => {
  const both = { MXPROOF_SECRET_KEY: 'test', MXPROOF_SECRET_KEY_NEXT: 'the next' };
  expect(told((await written('secret-key rotate', both)).rows)).toEqual([
    ['secret_key.rotated', null, null, {}],
  ]);
  const accounts = await s.db.query<{ id: number }>(
    'SELECT id FROM mxproof.accounts WHERE test_of IS NULL ORDER BY id',
  );
  const { rows } = await written('secret rotate-all', { MXPROOF_SECRET_KEY: 'found nowhere' });
  expect(told(rows)).toEqual([
    ['secret_key.rotated', null, null, {}],
    ...accounts.map(({ id }) => ['webhook_secret.replaced', id, null, {}]),
  ]);
});

test('what is refused or only shows leaves none, and the trail has no text of anyone', async () => {
  const { rows } = await writtenBy(s.db, async () => {
    for (const words of [
      'credits take 1 99999999999',
      'key revoke 99999',
      'account list',
      'list cancel 99999 --any',
    ])
      await run(words, { MXPROOF_SECRET_KEY: 'found nowhere' });
  });
  expect(rows).toEqual([]);
  expect(JSON.stringify(await auditRowsIn(s.db))).not.toMatch(/private|@|mx_live_|mx_test_|whsec_/i);
});
