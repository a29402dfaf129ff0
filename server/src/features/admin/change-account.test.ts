import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../test/service.ts';
import { deleteAccount } from '../../flow/delete-account.ts';
import { type Actor, THE_SERVICE } from '../../rules/audit.ts';
import { insertTestTwin } from '../../store/accounts.ts';
import { readAudit } from '../../store/audit.ts';
import { type AccountChanges, changeAccount, readAccountDetails } from './change-account.ts';

const OPERATOR: Actor = { ...THE_SERVICE, kind: 'admin_key', id: 3, client: '203.0.113.7' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const change = (id: number, changes: AccountChanges) => changeAccount(service.db, OPERATOR, id, changes);

async function changed(id: number, changes: AccountChanges) {
  const result = await change(id, changes);
  if (result.kind !== 'changed') throw new Error(result.kind);
  expect(await readAccountDetails(service.db, id)).toEqual(result.details);
  return result.details;
}

/** What changed it. */
async function trailOf(accountId: number) {
  const page = {
    accountId,
    action: 'account.changed' as const,
    actor: null,
    member: null,
    since: null,
    before: null,
  };
  const rows = await readAudit(service.db, { ...page, offset: 0, limit: 100 });
  return rows.map(({ action, actor, actorId, facts }) => ({ action, actor, actorId, facts }));
}

const line = (facts: object) => ({ action: 'account.changed', actor: 'admin_key', actorId: 3, facts });

test('all of it changes at once, with one line in the trail that has numbers and words, and of texts the names of their fields', async () => {
  const id = await service.open();
  const { account, retention, mail } = await changed(id, {
    name: 'Acme',
    externalId: 'C-1042',
    status: 'suspended',
    rateRequests: 30,
    rateAddresses: 4_000,
    retention: { results: 30, callbacks: 7 },
    monthlyCredits: 500,
    mail: 'anna@acme.example',
  });
  expect(account).toMatchObject({
    ...{ id, name: 'Acme', externalId: 'C-1042', rateRequests: 30, rateAddresses: 4_000 },
    ...{ monthlyCredits: 500, suspendedAtSeconds: expect.any(Number), lastActiveAtSeconds: null },
    monthlyFrom: expect.stringMatching(/^\d{4}-\d\d-01$/),
  });
  expect(retention).toEqual({ results: 30, evidence: null, callbacks: 7, single_checks: null });
  expect(mail?.address).toBe('anna@acme.example');
  expect(await trailOf(id)).toEqual([
    line({
      changes: {
        status: ['active', 'suspended'],
        rate_requests: [null, 30],
        rate_addresses: [null, 4_000],
        results_days: [null, 30],
        callbacks_days: [null, 7],
        monthly_credits: [null, 500],
      },
      changed: ['name', 'external_id', 'mail'],
    }),
  ]);
});

test('what is left out stays, null takes away, and where nothing is another, the trail says nothing', async () => {
  const id = await service.open();
  const first = await changed(id, {
    externalId: 'one',
    retention: { results: 30, evidence: 3 },
    rateRequests: 9,
  });
  expect(await changed(id, {})).toEqual(first);
  expect(await changed(id, { externalId: 'one', status: 'active', retention: { evidence: 3 } })).toEqual(
    first,
  );
  expect(await trailOf(id)).toHaveLength(1);
  const { account, retention } = await changed(id, { externalId: null, retention: { results: null } });
  expect([account.externalId, account.rateRequests, retention.results, retention.evidence]).toEqual([
    null,
    9,
    null,
    3,
  ]);
  expect((await trailOf(id))[0]).toEqual(
    line({ changes: { results_days: [30, null] }, changed: ['external_id'] }),
  );
});

test('suspended again it is suspended since the first time', async () => {
  const id = await service.open();
  await change(id, { status: 'suspended' });
  await service.db.query(
    `UPDATE mxproof.accounts SET suspended_at = now() - interval '1 day' WHERE id = $1`,
    [id],
  );
  const since = (await changed(id, {})).account.suspendedAtSeconds;
  expect((await changed(id, { status: 'suspended', name: 'x' })).account.suspendedAtSeconds).toBe(since);
  expect((await changed(id, { status: 'active' })).account.suspendedAtSeconds).toBeNull();
});

test('an external id is of one account: another is refused it, and nothing else of the request is done', async () => {
  const [first, second] = [await service.open(), await service.open()];
  await change(first, { externalId: 'unique' });
  expect(await change(second, { externalId: 'unique', name: 'renamed' })).toEqual({
    kind: 'external_id_taken',
  });
  expect((await readAccountDetails(service.db, second))!.account.name).toBe('another');
  expect(await trailOf(second)).toEqual([]);
  const both = await Promise.all([first, second].map((id) => change(id, { externalId: 'at once' })));
  expect(both.map(({ kind }) => kind).sort()).toEqual(['changed', 'external_id_taken']);
  // Free again.
  for (const id of [first, second]) await change(id, { externalId: null });
  expect((await change(second, { externalId: 'at once' })).kind).toBe('changed');
});

test('a new name is that of the test side, which is no account here; neither is one that was deleted', async () => {
  const id = await service.open();
  const twin = (await insertTestTwin(service.db, id))!;
  await change(id, { name: 'Both' });
  const names = await service.db.query('SELECT name FROM mxproof.accounts WHERE id = ANY($1)', [[id, twin]]);
  expect(names).toEqual([{ name: 'Both' }, { name: 'Both' }]);
  expect(await change(twin, { name: 'Test' })).toEqual({ kind: 'no_account' });
  expect(await readAccountDetails(service.db, twin)).toBeNull();
  await deleteAccount(service.context, OPERATOR, id);
  expect(await change(id, { name: 'Gone', mail: 'a@b.example' })).toEqual({ kind: 'no_account' });
  expect(await change(999_999, { name: 'None' })).toEqual({ kind: 'no_account' });
  expect(await service.db.query(`SELECT FROM mxproof.mail_recipients WHERE address = 'a@b.example'`)).toEqual(
    [],
  );
});
