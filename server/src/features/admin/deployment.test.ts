// What operators see and do of the deployment: lists of all accounts, callbacks, nodes, sources, the doctor, the ledger, the trail.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf, auditOf } from '../../../test/admin-service.ts';
import { startService, type TestService } from '../../../test/http-service.ts';
import { addDoctorRows, addSourceRows, HOSTILE_REPLY } from '../../../test/operator-rows.ts';
import { accepted } from '../../../test/verdicts.ts';

let service: TestService;
let admin: AdminClient;
/** How often the doctor was asked to look at the machine. */
let examined = 0;
beforeAll(async () => {
  service = await startService({ examine: async () => void examined++ });
  admin = await adminOf(service);
});
afterAll(() => service.close());

const unreachable = { ...accepted, state: 'unknown', reason: 'no_connect', score: 0 } as const;
const db = () => service.context.db;
const why = async (path: string, method = 'GET', body?: object) =>
  (await admin.call(method, path, { ...(body && { body }) })).headers['mxproof-error'];

async function submit(key: string, emails: readonly string[], more: object = {}): Promise<number> {
  const made = await service.call('POST', '/v1/lists', { key, body: { emails, ...more } });
  expect(made.status).toBe(201);
  return made.json.id;
}

describe('lists of all accounts', () => {
  test('are told with their account and what they wait for, and never with an address', async () => {
    const other = await service.open({ name: 'other' });
    const first = await submit(service.account.apiKey, ['secret.person@example.com', 'b@example.com']);
    const second = await submit(other.apiKey, ['c@example.com'], { name: 'June' });
    const all = await admin.call('GET', '/lists');
    expect(all.json.lists).toMatchObject([
      { id: second, account_id: other.accountId, name: 'June', pending: 1, paused_at: null },
      { id: first, account_id: service.account.accountId, status: 'processing', pending: 2 },
    ]);
    expect(all.json.lists[0].waits_for).toMatchObject({ why: 'queued', next_attempt_at: null });
    expect(all.text).not.toContain('@');
    const ids = async (query: string) =>
      (await admin.call('GET', `/lists?${query}`)).json.lists.map(({ id }: { id: number }) => id);
    expect(await ids(`account=${other.accountId}`)).toEqual([second]);
    expect(await ids('status=done')).toEqual([]);
    expect(await ids('stuck=true')).toEqual([first, second]);
    expect(await ids('limit=1&offset=1')).toEqual([first]);
    for (const [query, code] of [
      ['account=0', 'bad_account'],
      ['account=x', 'bad_account'],
      ['status=gone', 'bad_status'],
      ['stuck=maybe', 'bad_stuck'],
      ['limit=0', 'bad_limit'],
    ])
      expect(await why(`/lists?${query}`), query).toBe(code);

    const waiting = await admin.call('GET', `/lists/${first}/waiting`);
    expect(waiting.json).toMatchObject({
      pending: 2,
      checking: 0,
      waiting: [{ why: 'queued', addresses: 2 }],
    });
    expect(await why('/lists/999999/waiting')).toBe('list_not_found');

    const before = (await service.call('GET', '/v1/account', { key: other.apiKey })).json.credits;
    const written = await auditOf(service, async () => {
      expect((await admin.call('POST', `/lists/${second}/cancel`)).json).toMatchObject({
        id: second,
        account_id: other.accountId,
        status: 'failed',
        waits_for: null,
      });
      expect(await why(`/lists/${second}/cancel`, 'POST')).toBe('list_finished');
      expect(await why('/lists/999999/cancel', 'POST')).toBe('list_not_found');
    });
    expect(written).toMatchObject([
      { action: 'list.cancelled', actor: 'admin_key', subjectId: second, accountId: other.accountId },
    ]);
    const after = (await service.call('GET', '/v1/account', { key: other.apiKey })).json.credits;
    expect(after - before).toBe(1);
  });

  test('their callbacks that failed are listed without query, and sent again', async () => {
    const list = await submit(service.account.apiKey, ['d@example.com'], {
      callback_url: 'https://hooks.example/in?token=secret',
    });
    await service.find(list, { 0: accepted });
    expect(await why(`/callbacks/${list}/resend`, 'POST')).toBe('callback_pending');
    await db().query(
      `UPDATE mxproof.callbacks SET state = 'failed', next_attempt_at = NULL, attempts = $2 WHERE list_id = $1`,
      [list, JSON.stringify([{ atSeconds: 1, status: 503, error: null, durationMs: 12 }])],
    );
    const failed = await admin.call('GET', '/callbacks?state=failed');
    expect(failed.json.callbacks).toEqual([
      {
        list_id: list,
        account_id: service.account.accountId,
        url: 'https://hooks.example/in',
        state: 'failed',
        created_at: expect.any(Number),
        attempts: [{ at: 1, status: 503, error: null, duration_ms: 12 }],
        next_attempt_at: null,
      },
    ]);
    expect((await admin.call('GET', '/callbacks?account=999')).json.callbacks).toEqual([]);
    expect(await why('/callbacks?state=gone')).toBe('bad_delivery_state');
    const written = await auditOf(service, async () => {
      const sent = await admin.call('POST', `/callbacks/${list}/resend`);
      expect([sent.status, sent.json]).toEqual([202, { list_id: list, state: 'pending' }]);
      expect(await why(`/callbacks/${list}/resend`, 'POST')).toBe('callback_pending');
      expect(await why('/callbacks/999999/resend', 'POST')).toBe('list_not_found');
    });
    expect(written).toMatchObject([{ action: 'callback.resent', subjectId: list }]);
    const none = await submit(service.account.apiKey, ['e@example.com']);
    expect(await why(`/callbacks/${none}/resend`, 'POST')).toBe('no_callback');
  });
});

describe('sources', () => {
  test('rest at a provider for hours or until they are resumed, and a mistyped one does not', async () => {
    await addSourceRows(db());
    // The machine's own address, which has no name.
    await db().query(
      `INSERT INTO mxproof.source_states (source, provider, refused_at, refusal_kind, refusal_reply)
       VALUES ('', 'google', now(), 'block', 'no')`,
    );
    const pairOf = async (source: string, provider: string) =>
      (await admin.call('GET', '/sources')).json.pairs.find(
        (pair: { source: string; provider: string }) => pair.source === source && pair.provider === provider,
      );
    expect(await pairOf('203.0.113.7', 'microsoft')).toMatchObject({
      id: '203.0.113.7',
      refusal: { kind: 'block', reply: HOSTILE_REPLY },
      rest: { by: 'refusals' },
    });
    const post = (id: string, verb: string, body: object) =>
      admin.call('POST', `/sources/${encodeURIComponent(id)}/${verb}`, { body });
    const written = await auditOf(service, async () => {
      expect((await post('203.0.113.8', 'rest', { provider: 'google', hours: 24 })).json).toEqual({
        resting: true,
      });
      expect((await post('proxy.example.net:1080', 'resume', { provider: 'google' })).json).toEqual({
        resting: false,
      });
      for (const [id, verb, body, code] of [
        ['203.0.113.9', 'rest', { provider: 'google' }, 'source_not_found'],
        ['203.0.113.8', 'rest', { provider: 'gogle' }, 'bad_rest_provider'],
        ['203.0.113.8', 'rest', {}, 'bad_rest_provider'],
        // Nothing is in common to those hosts, and nothing would rest.
        ['203.0.113.8', 'rest', { provider: 'other' }, 'bad_rest_provider'],
        ['', 'rest', { provider: 'google' }, 'source_not_found'],
        ['203.0.113.8', 'rest', { provider: 'google', hours: 0 }, 'bad_hours'],
        ['203.0.113.8', 'rest', { provider: 'google', hours: 8_761 }, 'bad_hours'],
        ['203.0.113.9', 'resume', { provider: 'google' }, 'source_not_found'],
      ] as const)
        expect((await post(id, verb, body)).headers['mxproof-error'], JSON.stringify(body)).toBe(code);
    });
    expect(written.map(({ action, facts }) => [action, facts])).toEqual([
      [
        'source.rested',
        {
          changes: {
            ...{ source: [null, '203.0.113.8'], provider: [null, 'google'] },
            ...{ rested_by: [null, 'operator'], seconds: [null, 86_400] },
          },
        },
      ],
      [
        'source.resumed',
        {
          changes: {
            ...{ source: ['proxy.example.net:1080', null], provider: ['google', null] },
            rested_by: ['operator', null],
          },
        },
      ],
    ]);
    expect((await pairOf('203.0.113.8', 'google')).rest).toMatchObject({ by: 'operator' });
    expect((await pairOf('proxy.example.net:1080', 'google')).rest).toBeNull();
  });
});

test('the doctor’s reports, and a run of it', async () => {
  await addDoctorRows(db());
  const told = await admin.call('GET', '/doctor');
  expect(told.json.reports.map(({ machine, ok }: { machine: string; ok: boolean }) => [machine, ok])).toEqual(
    [
      ['mx1.example.net', false],
      ['mx2.example.net', true],
    ],
  );
  const written = await auditOf(service, async () => {
    const run = () => admin.call('POST', '/doctor/run', { headers: { 'idempotency-key': 'once' } });
    const first = await run();
    expect([first.status, examined]).toEqual([200, 1]);
    // Neither what was answered before nor what is refused has the machine looked at.
    const again = await run();
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(await why('/doctor/run', 'POST', [])).toBe('bad_body');
    expect(examined).toBe(1);
  });
  expect(written.map(({ action }) => action)).toEqual(['doctor.run']);
});

test('the nodes that are there, and the ledger as it is recomputed', async () => {
  await db().query(
    `INSERT INTO mxproof.nodes (id, sources) VALUES (gen_random_uuid(), '{"host mx1","203.0.113.8"}')`,
  );
  const nodes = await admin.call('GET', '/nodes');
  expect(nodes.json.nodes).toMatchObject([
    { machine: 'mx1', state: 'alive', roles: ['checks'], sources: ['203.0.113.8'], jobs: 0 },
  ]);
  const ledger = await admin.call('GET', '/ledger/verify');
  expect(ledger.json).toMatchObject({ accounts: 2, differences: [] });
  await db().query('UPDATE mxproof.accounts SET credits = credits + 7 WHERE id = $1', [
    service.account.accountId,
  ]);
  const wrong = await admin.call('GET', '/ledger/verify');
  expect(wrong.json.differences).toMatchObject([{ what: `account ${service.account.accountId}: credits` }]);
  await db().query('UPDATE mxproof.accounts SET credits = credits - 7 WHERE id = $1', [
    service.account.accountId,
  ]);
});

test('the overview counts what ended lately, by state and by provider, and what waits', async () => {
  const read = async (hours = 24) => (await admin.call('GET', `/overview?hours=${hours}`)).json;
  const before = await read();
  const list = await submit(service.account.apiKey, ['f@example.com', 'g@example.com', 'h@example.com']);
  const half = await read();
  expect(half.queue.unfinished - before.queue.unfinished).toBe(1);
  expect(half.queue.pending - before.queue.pending).toBe(3);
  expect(half.queue.oldest_seconds).toBeGreaterThanOrEqual(0);
  await service.find(list, { 0: accepted, 1: accepted, 2: unreachable });
  const after = await read();
  expect(after.checks.deliverable - before.checks.deliverable).toBe(2);
  expect(after.checks.unknown - before.checks.unknown).toBe(1);
  expect(after.checks.lists_ended - before.checks.lists_ended).toBe(1);
  const shares = (overview: typeof after) =>
    overview.providers.rows.reduce((sum: number, { checked }: { checked: number }) => sum + checked, 0);
  expect(shares(after)).toBe(after.providers.counted);
  expect(after.accounts).toMatchObject({ total: 2, suspended: 0 });
  expect(after).toMatchObject({ hours: 24, nodes: { alive: 1 }, doctor: { machines: 2, failing: 1 } });
  await db().query("UPDATE mxproof.lists SET finished_at = finished_at - interval '2 hours' WHERE id = $1", [
    list,
  ]);
  expect((await read(1)).checks.deliverable).toBeLessThan((await read(3)).checks.deliverable);
  for (const hours of ['0', '169', 'x', '1.5'])
    expect(await why(`/overview?hours=${hours}`)).toBe('bad_overview_hours');
});

describe('the trail', () => {
  test('is filtered by account, action, actor and time, newest first', async () => {
    const made = await admin.call('POST', '/accounts', { body: { name: 'Trail', credits: 3 } });
    const { id } = made.json;
    await admin.call('POST', `/accounts/${id}/keys`, { body: { label: 'test', test: true } });
    const owner = made.json.api_key;
    await service.call('POST', '/v1/keys', { key: owner, body: { label: 'web' } });
    const rows = async (query: string) =>
      (await admin.call('GET', `/audit?${query}`)).json.entries.map(
        ({ action, actor }: { action: string; actor: { kind: string } }) => `${action} ${actor.kind}`,
      );
    const all = ['key.created key', 'key.created admin_key', 'account.created admin_key'];
    expect(await rows(`account=${id}`)).toEqual(all);
    expect(await rows(`account=${id}&action=key.created`)).toEqual(all.slice(0, 2));
    expect(await rows(`account=${id}&actor=key`)).toEqual(all.slice(0, 1));
    expect(await rows(`account=${id}&limit=1&offset=2`)).toEqual(all.slice(2));
    expect(await rows(`account=${id}&since=${Math.floor(Date.now() / 1000) + 60}`)).toEqual([]);
    for (const [query, code] of [
      ['action=key.made', 'bad_action'],
      ['actor=root', 'bad_actor'],
      ['since=now', 'bad_since'],
      ['format=xml', 'bad_audit_format'],
      ['account=0', 'bad_account'],
    ])
      expect(await why(`/audit?${query}`), query).toBe(code);
    const own = await service.call('GET', '/v1/audit', { key: owner });
    expect(own.json.entries.map(({ actor }: { actor: object }) => actor)).toEqual([
      { kind: 'key', id: expect.any(Number), name: null },
      { kind: 'operator', id: null, name: null },
      { kind: 'operator', id: null, name: null },
    ]);
  });

  test('is exported as lines, of which the export itself is the first', async () => {
    const before = await admin.call('GET', '/audit?limit=10000');
    const exported = await admin.call('GET', '/audit?format=ndjson');
    expect(exported.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(exported.text.endsWith('\n')).toBe(true);
    const lines = exported.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ action: 'audit.exported', actor: { kind: 'admin_key' } });
    expect(lines.slice(1)).toEqual(before.json.entries);
    const some = await admin.call('GET', '/audit?format=ndjson&action=doctor.run');
    expect(some.text.trimEnd().split('\n')).toHaveLength(1);
  });

  test('is exported of one account without that account being told', async () => {
    const { accountId, apiKey } = await service.open({});
    const { text } = await admin.call('GET', `/audit?format=ndjson&account=${accountId}`);
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    const { json } = await admin.call('GET', '/audit?limit=1');
    expect(json.entries[0]).toMatchObject({
      ...{ action: 'audit.exported', account_id: null },
      changes: { account: { before: null, after: accountId } },
    });
    const own = await service.call('GET', '/v1/audit', { key: apiKey });
    expect(own.json.entries).toMatchObject([{ action: 'account.created' }]);
  });
});
