// Members through the API: invited, joined, given another role, removed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditOf, press } from '../../../test/admin-service.ts';
import { startService, type TestService } from '../../../test/http-service.ts';
import { browserOf, type Invited, invite, memberWith } from '../../../test/members.ts';
import { addKey } from '../../flow/add-key.ts';
import { makeSignInLink } from '../../flow/sign-in.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import type { Role } from '../../rules/roles.ts';
import { sweepInvitations } from '../../store/invitations.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ heartbeatMs: 50 });
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.context.db.query('DELETE FROM mxproof.members');
  await service.context.db.query('DELETE FROM mxproof.people');
  await service.context.db.query('DELETE FROM mxproof.sign_in_attempts');
});

const members = async () => (await service.call('GET', '/v1/members')).json.members;
const invited = (role: Role, email = `${role}@x.test`): Promise<Invited> => invite(service, { email, role });

test('an owner invites with a link, which lets somebody join once', async () => {
  const made = await service.call('POST', '/v1/members', { body: { email: ' Ann@X.Test ', role: 'member' } });
  expect(made.status).toBe(201);
  const { link, mailed, ...member } = made.json;
  expect(mailed).toBe(false);
  expect(member).toMatchObject({ email: 'ann@x.test', role: 'member', status: 'invited', joined_at: null });
  expect(link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${service.port}/join/[\\w-]{43}$`));
  expect(await members()).toEqual([member]);
  expect(JSON.stringify(await members())).not.toContain(link.split('/').at(-1));

  const page = await service.call('GET', new URL(link).pathname, { key: null });
  expect(page.text).toContain('<strong>tests</strong>');
  expect(page.text).toContain('ann@x.test');
  expect(page.text).toContain('As a member you can check addresses');
  expect((await members())[0].status).toBe('invited');

  const ann = await browserOf(service, new URL(link).pathname);
  expect((await members())[0]).toMatchObject({ status: 'joined', last_seen_at: expect.any(Number) });
  expect((await ann.call('GET', '/v1/account')).json.name).toBe('tests');
  expect((await press(service, new URL(link).pathname)).status).toBe(404);
  expect(service.logged.join('')).not.toContain(link.split('/').at(-1));
});

test('an invitation ends after seven days, with its member, and when another is made', async () => {
  const aged = await invited('viewer');
  await service.context.db.query(`UPDATE mxproof.invitations SET created_at = now() - interval '7 days'`);
  expect((await press(service, aged.path)).status).toBe(404);
  await sweepInvitations(service.context.db);
  expect(await service.context.db.query('SELECT FROM mxproof.invitations')).toEqual([]);
  const again = await service.call('POST', `/v1/members/${aged.id}/link`);
  expect(again.status).toBe(201);
  const first = new URL(again.json.link).pathname;
  const second = new URL((await service.call('POST', `/v1/members/${aged.id}/link`)).json.link).pathname;
  expect((await press(service, first)).status).toBe(404);
  expect((await press(service, second)).status).toBe(200);
  const removed = await invited('viewer', 'other@x.test');
  await service.call('DELETE', `/v1/members/${removed.id}`);
  expect((await press(service, removed.path)).status).toBe(404);
  expect((await service.call('POST', `/v1/members/${removed.id}/link`)).headers['mxproof-error']).toBe(
    'member_not_found',
  );
});

test('a mailbox is invited once, and what is no mailbox or role is refused by its own code', async () => {
  await invited('viewer', 'ann@x.test');
  const codes: (string | undefined)[] = [];
  for (const body of [
    { email: 'ANN@x.test', role: 'owner' },
    { email: 'ann', role: 'owner' },
    { email: '  ', role: 'owner' },
    { role: 'owner' },
    { email: `${'a'.repeat(400)}@x.test`, role: 'owner' },
    { email: 'bob@x.test', role: 'admin' },
    { email: 'bob@x.test' },
  ]) {
    const { status, headers } = await service.call('POST', '/v1/members', { body });
    codes.push(`${status} ${headers['mxproof-error']}`);
  }
  expect(codes).toMatchInlineSnapshot(`
    [
      "409 already_member",
      "400 bad_email",
      "400 bad_email",
      "400 email_required",
      "400 bad_email",
      "400 bad_role",
      "400 bad_role",
    ]
  `);
  await service.context.db.query(
    `INSERT INTO mxproof.members (account_id, email, role) SELECT $1, n || '@y.test', 'viewer' FROM generate_series(1, 999) n`,
    [service.account.accountId],
  );
  const over = await service.call('POST', '/v1/members', { body: { email: 'bob@x.test', role: 'viewer' } });
  expect([over.status, over.headers['mxproof-error']]).toEqual([409, 'too_many_members']);
});

test('another role counts from the next request on', async () => {
  const ann = await memberWith(service, 'viewer');
  const submit = async () => (await ann.call('POST', '/v1/lists', { emails: ['a@x.test'] })).status;
  expect(await submit()).toBe(403);
  const [{ id }] = await members();
  const changed = await service.call('PATCH', `/v1/members/${id}`, { body: { role: 'member' } });
  expect(changed.json).toMatchObject({ id, role: 'member', status: 'joined' });
  expect(await submit()).toBe(201);
  const refused = await ann.call('GET', '/v1/members');
  expect([refused.status, refused.headers['mxproof-error'], refused.json]).toEqual([
    403,
    'role',
    { error: 'your role does not allow this' },
  ]);
});

test('the last owner who has joined stays, and stays an owner', async () => {
  const ann = await memberWith(service, 'owner');
  const [{ id }] = await members();
  const codes = async () => [
    (await ann.call('DELETE', `/v1/members/${id}`)).headers['mxproof-error'],
    (await ann.call('PATCH', `/v1/members/${id}`, { role: 'viewer' })).headers['mxproof-error'],
    (await service.call('DELETE', `/v1/members/${id}`)).headers['mxproof-error'],
  ];
  expect(await codes()).toEqual(['last_owner', 'last_owner', 'last_owner']);
  const other = await invited('owner', 'bob@x.test');
  // Might never come.
  expect(await codes()).toEqual(['last_owner', 'last_owner', 'last_owner']);
  await browserOf(service, other.path);
  const both = await Promise.all([
    ann.call('DELETE', `/v1/members/${id}`),
    service.call('DELETE', `/v1/members/${other.id}`),
  ]);
  // Of two that come together one is the last.
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await members()).map(({ role }: { role: string }) => role)).toEqual(['owner']);
});

test('a removed member’s sessions end at once, and an open stream of theirs within seconds', async () => {
  const ann = await memberWith(service, 'viewer');
  const [{ id }] = await members();
  const list = (await service.call('POST', '/v1/lists', { body: { emails: ['a@x.test'] } })).json;
  const stream = await fetch(`http://127.0.0.1:${service.port}/v1/lists/${list.id}/events`, {
    headers: ann.headers,
  });
  const reader = stream.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('event: progress');
  expect((await service.call('DELETE', `/v1/members/${id}`)).json).toEqual({ deleted: true });
  expect((await ann.call('GET', '/v1/account')).status).toBe(401);
  while (!(await reader.read()).done);
  expect(await members()).toEqual([]);
});

test('of another account nobody reads, changes or removes a member', async () => {
  const other = await service.open();
  const { id } = await invited('viewer');
  const key = other.apiKey;
  expect((await service.call('GET', '/v1/members', { key })).json.members).toEqual([]);
  for (const [method, path, body] of [
    ['PATCH', '', { role: 'owner' }],
    ['POST', '/link', undefined],
    ['DELETE', '', undefined],
  ] as const) {
    const answer = await service.call(method, `/v1/members/${id}${path}`, { key, ...(body && { body }) });
    expect([answer.status, answer.headers['mxproof-error']]).toEqual([404, 'member_not_found']);
  }
});

test('a test key, and a key that does not manage, reach no member', async () => {
  const { accountId } = service.account;
  const made = async (test: boolean, manage: boolean) =>
    (await addKey(service.context.db, THE_SERVICE, { accountId, label: 'x', test, manage })).apiKey;
  const code = async (key: string) =>
    (await service.call('POST', '/v1/members', { key, body: { email: 'a@x.test', role: 'owner' } })).headers[
      'mxproof-error'
    ];
  expect(await code(await made(true, true))).toBe('test_keys_only');
  expect(await code(await made(false, false))).toBe('may_not_manage');
  expect(await members()).toEqual([]);
});

test('the trail tells who did what, and no mailbox', async () => {
  const link = await makeSignInLink(service.context.db, THE_SERVICE, service.account.accountId);
  const operator = await browserOf(service, `/sign-in/${link}`);
  let ann = 0;
  const rows = await auditOf(service, async () => {
    const { id, path } = await invited('owner', 'ann@x.test');
    ann = id;
    const browser = await browserOf(service, path);
    const { json } = await browser.call('POST', '/v1/members', { email: 'bob@x.test', role: 'viewer' });
    await browser.call('PATCH', `/v1/members/${json.id}`, { role: 'member' });
    await browser.call('PATCH', `/v1/members/${json.id}`, { role: 'member' });
    await browser.call('POST', `/v1/members/${json.id}/link`);
    await operator.call('DELETE', `/v1/members/${json.id}`);
    await browser.call('DELETE', '/session');
  });
  expect(rows.map(({ action, actor, actorId }) => [action, actor, actorId === ann])).toEqual([
    ['member.invited', 'key', false],
    ['member.joined', 'member', true],
    ['session.begun', 'member', true],
    ['member.invited', 'member', true],
    ['member.changed', 'member', true],
    ['member.link_created', 'member', true],
    ['member.removed', 'session', false],
    ['session.ended', 'member', true],
  ]);
  expect(rows[4]!.facts).toEqual({ changes: { role: ['viewer', 'member'] } });
  expect(JSON.stringify(rows)).not.toContain('@');
});
