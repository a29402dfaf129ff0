// What the operator's client promises, kept by the real service.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { adminOf } from '../../../server/test/admin-service.ts';
import { startService, type TestService } from '../../../server/test/http-service.ts';
import { addDoctorRows, addSourceRows } from '../../../server/test/operator-rows.ts';
import { accepted } from '../../../server/test/verdicts.ts';
import { startFlakyProxy } from '../../test/flaky-proxy.ts';
import { Conflict, Forbidden, InvalidApiKey, MXProof, NotFound } from '../index.ts';
import { type AdminAuditEntry, MXProofAdmin } from './index.ts';

let service: TestService;
let baseUrl: string;
let adminKey: string;
let admin: MXProofAdmin;
const warned: string[] = [];
beforeAll(async () => {
  service = await startService();
  baseUrl = `http://127.0.0.1:${service.port}`;
  adminKey = (await adminOf(service)).key;
  // What the client sends is known to the service.
  admin = new MXProofAdmin({ adminKey, baseUrl, onWarning: (warning) => warned.push(warning) });
});
afterAll(async () => {
  await service.close();
  expect(warned).toEqual([]);
});
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

const kindOf = (call: Promise<unknown>) => call.catch((error: unknown) => (error as { kind: string }).kind);

/** What is done, or refused, leaves these entries in the audit trail, and no others. */
async function leaves<T>(actions: readonly AdminAuditEntry['action'][], work: () => Promise<T>): Promise<T> {
  const [last] = await admin.audit.list({ limit: 1 });
  const done = work();
  await done.catch(() => {});
  const entries = await admin.audit.list({ limit: 100 });
  const made = entries.filter(({ id }) => id > (last?.id ?? 0));
  expect(made.map(({ action }) => action).reverse()).toEqual(actions);
  return done;
}

const live = (apiKey: string) => new MXProof({ apiKey, baseUrl, maxRetries: 0 });

test('the life of an account by this client alone, each step one entry of the audit trail', async () => {
  const made = await leaves(['account.created'], () =>
    admin.accounts.create({ name: 'Ants Ltd', credits: 100, note: 'invoice 1', external_id: 'C-1042' }),
  );
  const { id, api_key, webhook_secret } = made;
  expect(made).toMatchObject({ name: 'Ants Ltd', external_id: 'C-1042', status: 'active', credits: 100 });
  expect([api_key, webhook_secret]).toEqual([
    expect.stringMatching(/^mx_live_/),
    expect.stringMatching(/^whsec_/),
  ]);
  const customer = live(api_key);
  expect(await customer.account.get()).toMatchObject({ name: 'Ants Ltd', credits: 100 });

  expect(await kindOf(leaves([], () => admin.accounts.create({ name: 'Bees', external_id: 'C-1042' })))).toBe(
    'external_id_taken',
  );

  expect(
    await leaves(['credits.changed'], () => admin.accounts.changeCredits(id, { credits: 50 })),
  ).toMatchObject({ id, credits: 150 });
  expect(
    await leaves(['credits.changed'], () =>
      admin.accounts.changeCredits(id, { credits: -30, note: 'paid twice' }),
    ),
  ).toMatchObject({ credits: 120 });
  const tooMany = leaves([], () => admin.accounts.changeCredits(id, { credits: -121 }));
  expect(await kindOf(tooMany)).toBe('not_enough_credits');

  const key = await leaves(['key.created'], () =>
    admin.accounts.keys.create(id, { label: 'ci', access: 'read' }),
  );
  expect(await live(key.api_key).account.get()).toMatchObject({ name: 'Ants Ltd' });
  expect(await admin.accounts.keys.list(id)).toMatchObject([
    { prefix: expect.stringMatching(/^mx_live_/) },
    { id: key.id },
  ]);
  await leaves(['key.revoked'], () => admin.accounts.keys.delete(id, key.id));
  await expect(live(key.api_key).account.get()).rejects.toBeInstanceOf(InvalidApiKey);
  expect(await kindOf(admin.accounts.keys.delete(id, key.id))).toBe('key_not_found');

  const list = await customer.lists.create({ emails: ['a@x.test', 'b@x.test'] });
  expect(
    await leaves(['account.changed'], () => admin.accounts.update(id, { status: 'suspended' })),
  ).toMatchObject({ status: 'suspended' });
  const refused = customer.lists.create({ emails: ['c@x.test'] });
  await expect(refused).rejects.toBeInstanceOf(Forbidden);
  expect(await kindOf(refused)).toBe('account_suspended');
  expect(await customer.lists.get(list.id)).toMatchObject({ id: list.id });
  expect((await admin.accounts.list({ status: 'suspended' })).map((each) => each.id)).toEqual([id]);
  await leaves(['account.changed'], () => admin.accounts.update(id, { status: 'active' }));

  const settings = [
    { name: 'Ants and Sons' },
    { external_id: null },
    { rate_requests: 600 },
    { rate_addresses: 7_000 },
    { retention: { results: 30, evidence: 7, callbacks: 9, single_checks: 2 } },
    { monthly_credits: 1_000 },
    { mail: 'ann@example.com' },
  ];
  for (const set of settings) {
    const update = () => admin.accounts.update(id, set);
    expect(await leaves(['account.changed'], update)).toMatchObject(set);
    // As it is already.
    expect(await leaves([], update)).toMatchObject(set);
  }
  expect(await admin.accounts.get(id)).toMatchObject({
    ...Object.assign({}, ...settings),
    monthly_from: expect.stringMatching(/^\d{4}-\d{2}-01$/),
    lists: 1,
    credits: 118,
    credits_used: 2,
  });

  const link = await leaves(['link.created'], () => admin.accounts.link(id));
  expect(link.url).toMatch(new RegExp(`^${baseUrl}/sign-in/`));
  expect(await leaves(['sessions.ended'], () => admin.accounts.signOut(id))).toBe(0);
  const secret = await leaves(['webhook_secret.replaced'], () => admin.accounts.webhookSecret(id));
  expect(secret).toMatch(/^whsec_/);
  expect(secret).not.toBe(webhook_secret);

  await leaves(['account.deleted'], () => admin.accounts.delete(id));
  await expect(admin.accounts.get(id)).rejects.toBeInstanceOf(NotFound);
  await expect(customer.account.get()).rejects.toBeInstanceOf(InvalidApiKey);
  expect(await kindOf(admin.accounts.delete(id))).toBe('account_not_found');
  // Its list had not been checked, and is refunded.
  const ledger = 'SELECT credits, used FROM mxproof.accounts WHERE id = $1';
  expect(await service.context.db.query(ledger, [id])).toEqual([{ credits: 120, used: 0 }]);
  expect((await admin.verifyLedger()).differences).toEqual([]);
  // The trail of a deleted account stays. What only reads is not in it.
  const trail = await admin.audit.list({ account: id });
  expect(trail[0]!.changes).toMatchObject({ credits: { before: 118, after: null }, lists: { before: 1 } });
  expect(trail.every(({ account_id, actor }) => account_id === id && actor.kind === 'admin_key')).toBe(true);
  expect(trail.map(({ action }) => action).reverse()).toEqual([
    ...['account.created', 'credits.changed', 'credits.changed', 'key.created', 'key.revoked'],
    ...['account.changed', 'account.changed', ...settings.map(() => 'account.changed')],
    ...['link.created', 'sessions.ended', 'webhook_secret.replaced', 'account.deleted'],
  ]);
});

test('accounts are found by name, number and id, and read in a loop, newest first', async () => {
  const made = [];
  for (const at of [1, 2, 3])
    made.unshift((await admin.accounts.create({ name: `Wasps ${at}`, external_id: `W-${at}` })).id);
  expect((await admin.accounts.list({ q: 'wasps' })).map(({ id }) => id)).toEqual(made);
  expect(await admin.accounts.list({ q: 'W-2' })).toMatchObject([{ id: made[1], name: 'Wasps 2' }]);
  expect(await admin.accounts.list({ q: String(made[0]) })).toMatchObject([{ id: made[0] }]);
  const page = await admin.accounts.page({ q: 'wasps', offset: 1, limit: 1 });
  expect([page.total, page.accounts.map(({ id }) => id)]).toEqual([3, [made[1]]]);
  expect((await Array.fromAsync(admin.accounts.all({ q: 'wasps' }))).map(({ id }) => id)).toEqual(made);
  const all = await Array.fromAsync(admin.accounts.all());
  expect(all.length).toBe((await admin.accounts.page()).total);
});

test('what changes something is done once, however its answer is lost', async () => {
  const proxy = await startFlakyProxy(service.port, (place) => (place % 2 === 0 ? 'lost' : 'none'));
  try {
    const flaky = new MXProofAdmin({ adminKey, baseUrl: proxy.url });
    const made = await leaves(['account.created'], () =>
      flaky.accounts.create({ name: 'Moths', credits: 10 }),
    );
    // Of the repeat, as it was shown when it was made.
    expect(await live(made.api_key).account.get()).toMatchObject({ name: 'Moths', credits: 10 });
    const changed = await leaves(['credits.changed'], () =>
      flaky.accounts.changeCredits(made.id, { credits: 5 }),
    );
    expect(changed.credits).toBe(15);
    const key = await leaves(['key.created'], () => flaky.accounts.keys.create(made.id, { label: 'once' }));
    await leaves(['key.revoked'], () => flaky.accounts.keys.delete(made.id, key.id));
    await leaves(['account.deleted'], () => flaky.accounts.delete(made.id));
    expect(proxy.met.lost).toBe(5);
  } finally {
    await proxy.close();
  }
});

test('a caller’s own key holds over calls, and is not for another request', async () => {
  const options = { idempotencyKey: 'invoice 7' };
  const { id } = await admin.accounts.create({ name: 'Flies' });
  const told: boolean[] = [];
  for (let times = 0; times < 2; times++)
    await admin.accounts.changeCredits(
      id,
      { credits: 7 },
      { ...options, onAnswer: ({ replayed }) => void told.push(replayed) },
    );
  expect(told).toEqual([false, true]);
  expect((await admin.accounts.get(id)).credits).toBe(7);
  expect(await kindOf(admin.accounts.changeCredits(id, { credits: 8 }, options))).toBe(
    'idempotency_key_reused',
  );
});

test('a key that reads changes nothing, and one of an account is no operator’s', async () => {
  const reader = new MXProofAdmin({ adminKey: (await adminOf(service, 'read')).key, baseUrl });
  expect((await reader.accounts.list({ limit: 1 })).length).toBe(1);
  expect(await kindOf(leaves([], () => reader.accounts.create({ name: 'None' })))).toBe('admin_scope');
  const stranger = new MXProofAdmin({ adminKey: service.account.apiKey, baseUrl });
  const refused = await stranger.nodes().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(InvalidApiKey);
  expect(refused).toMatchObject({ kind: 'invalid_admin_key' });
});

test('lists of all accounts, what one waits for, and its end', async () => {
  const { accountId, apiKey } = await service.open({ name: 'Lists' });
  const customer = live(apiKey);
  const first = await customer.lists.create({ emails: ['a@x.test', 'b@x.test'], name: 'spring' });
  const second = await customer.lists.create({ emails: ['c@x.test'] });
  const found = await admin.lists.list({ account: accountId });
  expect(found).toMatchObject([
    { id: second.id, account_id: accountId, total: 1 },
    { id: first.id, account_id: accountId, name: 'spring', total: 2, pending: 2, paused_at: null },
  ]);
  expect(JSON.stringify(found)).not.toContain('@');
  expect(await admin.lists.waiting(first.id)).toMatchObject({ pending: 2, waiting: [{ why: 'queued' }] });
  expect(
    await leaves(['list.cancelled'], () => admin.lists.cancel(first.id, { idempotencyKey: 'once' })),
  ).toMatchObject({ id: first.id, status: 'failed', pending: 0, waits_for: null });
  await expect(admin.lists.cancel(first.id)).rejects.toBeInstanceOf(Conflict);
  const unfinished = admin.lists.all({ account: accountId, status: 'processing' });
  expect((await Array.fromAsync(unfinished)).map(({ id }) => id)).toEqual([second.id]);
  // Oldest first: each is there.
  await customer.lists.create({ emails: ['d@x.test'] });
  const stuck = await Array.fromAsync(admin.lists.all({ stuck: true }));
  expect(stuck.map(({ id }) => id)).toEqual((await admin.lists.list({ stuck: true })).map(({ id }) => id));
  expect(stuck.length).toBeGreaterThan(1);
  await expect(admin.lists.waiting(9_999_999)).rejects.toMatchObject({ kind: 'list_not_found' });
});

test('callbacks of all accounts, without what their addresses carry, are sent again', async () => {
  const { accountId, apiKey } = await service.open({ name: 'Callbacks' });
  const callbackUrl = 'https://shop.example/hook?token=secret';
  const { id } = await live(apiKey).lists.create({ emails: ['a@x.test'], callbackUrl });
  await service.find(id, { 0: accepted });
  expect(await admin.callbacks.list({ account: accountId, state: 'pending' })).toMatchObject([
    { list_id: id, account_id: accountId, url: 'https://shop.example/hook', attempts: [] },
  ]);
  expect(await kindOf(admin.callbacks.resend(id))).toBe('callback_pending');
  await service.context.db.query(
    `UPDATE mxproof.callbacks SET state = 'failed', next_attempt_at = null WHERE list_id = $1`,
    [id],
  );
  const failed = await Array.fromAsync(admin.callbacks.all({ state: 'failed' }));
  expect(failed.map(({ list_id }) => list_id)).toEqual([id]);
  expect(await leaves(['callback.resent'], () => admin.callbacks.resend(id))).toEqual({
    list_id: id,
    state: 'pending',
  });
});

test('sources rest and resume, each with its name in the trail', async () => {
  await addSourceRows(service.context.db);
  const { pairs } = await admin.sources();
  const blocked = pairs.find(({ refusal }) => refusal?.kind === 'block');
  expect(blocked).toMatchObject({ id: '203.0.113.7', provider: 'microsoft', rest: { by: 'refusals' } });
  const rest = { provider: 'google', hours: 2 } as const;
  expect(await leaves(['source.rested'], () => admin.restSource('203.0.113.7', rest))).toEqual({
    resting: true,
  });
  const resting = (await admin.sources()).pairs.find(
    ({ id, provider }) => id === '203.0.113.7' && provider === 'google',
  );
  expect(resting?.rest).toMatchObject({ by: 'operator', until: expect.any(Number) });
  const resumed = await leaves(['source.resumed'], () =>
    admin.resumeSource('203.0.113.7', { provider: 'google' }),
  );
  expect(resumed).toEqual({ resting: false });
  const strange = admin.restSource('proxy.example.net:1080/../..', { provider: 'google' });
  expect(await kindOf(strange)).toBe('source_not_found');
  expect(await admin.resumeSource('proxy.example.net:1080', { provider: 'google' })).toEqual({
    resting: false,
  });
  await expect(admin.restSource('..', { provider: 'google' })).rejects.toThrow(TypeError);
});

test('nodes, the overview, the doctor and the ledger', async () => {
  await addDoctorRows(service.context.db);
  expect(await admin.nodes()).toEqual([]);
  const now = await admin.overview({ hours: 1 });
  expect(now).toMatchObject({ hours: 1, doctor: { machines: 2 }, backup_at: expect.any(Number) });
  expect(now.accounts.total).toBe((await admin.accounts.page({ limit: 1 })).total);
  expect((await admin.doctor()).reports).toHaveLength(2);
  expect((await leaves(['doctor.run'], () => admin.runDoctor())).reports).toHaveLength(2);
  expect(await admin.verifyLedger()).toMatchObject({ differences: [] });
});

test('the trail is read by page and as one answer of lines, which is an entry itself', async () => {
  await admin.accounts.create({ name: 'Trail' });
  const [newest, older] = await admin.audit.list({ limit: 2 });
  expect(newest).toMatchObject({
    action: 'account.created',
    actor: { kind: 'admin_key' },
    client: '127.0.0.1',
  });
  expect(await admin.audit.list({ offset: 1, limit: 1 })).toEqual([older]);
  expect(await admin.audit.list({ since: 4_000_000_000 })).toEqual([]);
  const all = await Array.fromAsync(admin.audit.all({ action: 'account.created' }));
  expect(all[0]).toEqual(newest);
  expect(all.every(({ action }) => action === 'account.created')).toBe(true);
  const exported = await leaves(['audit.exported'], () => Array.fromAsync(admin.audit.export()));
  const entries = exported.filter(({ action }) => action !== 'audit.exported');
  expect(entries[0]).toEqual(newest);
  const opened = await Array.fromAsync(
    admin.audit.export({ action: 'account.created', account: newest!.account_id! }),
  );
  expect(opened).toEqual([newest]);
  expect(JSON.stringify(exported)).not.toMatch(/Trail|mx_live_|whsec_|invoice/);
});
