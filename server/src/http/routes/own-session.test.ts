// What a browser is signed in to, and where it may go.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditOf, press, secretsOf } from '../../../test/admin-service.ts';
import { startService, type TestService } from '../../../test/http-service.ts';
import {
  type Browser,
  browserOf,
  browserWith,
  invite,
  memberWith,
  signInWithMailbox,
} from '../../../test/members.ts';
import { makeInvitation } from '../../flow/join.ts';
import type { OpenedAccount } from '../../flow/open-account.ts';
import { makeSignInLink } from '../../flow/sign-in.ts';
import { THE_SERVICE } from '../../rules/audit.ts';

let service: TestService;
let other: OpenedAccount;
beforeAll(async () => {
  service = await startService({ heartbeatMs: 50 });
  other = await service.open({ name: 'other' });
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.context.db.query('DELETE FROM mxproof.members');
  await service.context.db.query('DELETE FROM mxproof.people');
  await service.context.db.query('DELETE FROM mxproof.sign_in_attempts');
});

const shown = async (browser: Browser) => (await browser.call('GET', '/session')).json;
const to = (browser: Browser, body: object) => browser.call('POST', '/session/switch', body);

async function ofBoth(): Promise<Browser> {
  await invite(service, { email: 'ann@x.test', role: 'owner' });
  await invite(service, { email: 'ann@x.test', role: 'viewer', key: other.apiKey });
  return (await signInWithMailbox(service, 'ann@x.test'))!;
}

test('who has proved a mailbox is a member of every account that invited it, and goes from one to the other', async () => {
  const ann = await ofBoth();
  const { accountId } = service.account;
  expect(await shown(ann)).toEqual({
    ...{ name: 'tests', account_id: accountId, test: false, role: 'owner', manage: true },
    ...{ email: 'ann@x.test', signed_in_as: 'ann@x.test', can_switch_side: true },
    accounts: [
      { account_id: accountId, name: 'tests', role: 'owner' },
      { account_id: other.accountId, name: 'other', role: 'viewer' },
    ],
  });
  const list = await ann.call('POST', '/v1/lists', { emails: ['a@x.test'] });
  const stream = await fetch(`http://127.0.0.1:${service.port}/v1/lists/${list.json.id}/events`, {
    headers: ann.headers,
  });
  const rows = await auditOf(service, async () => {
    const there = await to(ann, { account_id: other.accountId });
    expect(there.json).toMatchObject({ name: 'other', role: 'viewer', manage: false });
  });
  expect(rows.map(({ action, accountId: id }) => [action, id])).toEqual([
    ['session.ended', accountId],
    ['session.begun', other.accountId],
  ]);
  // Nothing of the account that was left goes on, or is found.
  await stream.text();
  expect((await ann.call('GET', `/v1/lists/${list.json.id}`)).status).toBe(404);
  expect((await ann.call('GET', '/v1/account')).json.name).toBe('other');
  expect((await ann.call('POST', '/v1/lists', { emails: ['a@x.test'] })).headers['mxproof-error']).toBe(
    'role',
  );
});

test('it goes to no account whose member the person is not', async () => {
  const ann = await ofBoth();
  const third = await service.open();
  for (const account_id of [third.accountId, 999_999, 0, '1', null]) {
    const refused = await to(ann, { account_id });
    expect([refused.status, refused.headers['mxproof-error']]).toEqual([400, 'bad_account_id']);
  }
  // Of two owners, so that one can be removed.
  await memberWith(service, 'owner', 'bob@x.test');
  await service.context.db.query('DELETE FROM mxproof.members WHERE account_id = $1', [other.accountId]);
  expect((await to(ann, { account_id: other.accountId })).headers['mxproof-error']).toBe('bad_account_id');
  expect((await shown(ann)).accounts).toHaveLength(1);
});

test('the link that an owner has seen opens its membership alone', async () => {
  await invite(service, { email: 'ann@x.test', role: 'viewer', key: other.apiKey });
  const ann = await memberWith(service, 'member', 'ann@x.test');
  const session = await shown(ann);
  expect(session).toMatchObject({ role: 'member', email: 'ann@x.test', signed_in_as: null });
  expect(session.accounts).toHaveLength(1);
  expect((await to(ann, { account_id: other.accountId })).headers['mxproof-error']).toBe('bad_account_id');
});

test('a person comes back to where they were last, not to where others were with a link of theirs', async () => {
  const { db } = service.context;
  await invite(service, { email: 'ann@x.test', role: 'member' });
  await signInWithMailbox(service, 'ann@x.test');
  await db.query("UPDATE mxproof.members SET last_seen_at = now() - interval '1 day'");
  // An owner elsewhere presses the button that was meant for her.
  const { id, path } = await invite(service, { email: 'ann@x.test', role: 'member', key: other.apiKey });
  const guest = await browserOf(service, path);
  const ann = (await signInWithMailbox(service, 'ann@x.test'))!;
  expect((await shown(ann)).accounts.map(({ name }: { name: string }) => name)).toEqual(['tests', 'other']);
  expect((await shown(ann)).name).toBe('tests');
  await db.query("UPDATE mxproof.sessions SET seen_at = now() - interval '1 hour'");
  await guest.call('GET', '/v1/account');
  const again = await service.call('POST', `/v1/members/${id}/link`, { key: other.apiKey });
  await browserOf(service, new URL(again.json.link).pathname);
  expect((await shown((await signInWithMailbox(service, 'ann@x.test'))!)).name).toBe('tests');
});

test('who is signed in as themselves may join as that person, and then the account is one of theirs', async () => {
  await invite(service, { email: 'ann@x.test', role: 'owner' });
  const ann = (await signInWithMailbox(service, 'ann@x.test'))!;
  const invited = await invite(service, { email: 'sales@x.test', role: 'member', key: other.apiKey });
  const page = await service.call('GET', invited.path, { key: null });
  expect(page.text).toContain('<button name="as" hidden></button>');
  const joined = await press(service, `${invited.path}?as=person`, ann.headers);
  expect(joined.status).toBe(200);
  const now = await shown(browserWith(service, secretsOf(joined)));
  expect(now).toMatchObject({ name: 'other', email: 'sales@x.test', signed_in_as: 'ann@x.test' });
  expect(now.accounts).toHaveLength(2);
  // The browser has one session.
  expect((await ann.call('GET', '/session')).status).toBe(401);
});

test('an invitation that was mailed proves the mailbox, too', async () => {
  await invite(service, { email: 'ann@x.test', role: 'viewer' });
  const { id } = await invite(service, { email: 'ann@x.test', role: 'owner', key: other.apiKey });
  const token = await makeInvitation(service.context.db, id, true);
  const ann = await browserOf(service, `/join/${token}`);
  expect(await shown(ann)).toMatchObject({ name: 'other', signed_in_as: 'ann@x.test' });
  expect((await shown(ann)).accounts).toHaveLength(2);
});

test('a member’s session and one of a link go to the test side and back; one of a key does not', async () => {
  const { db } = service.context;
  const link = await makeSignInLink(db, THE_SERVICE, service.account.accountId);
  const operator = await browserOf(service, `/sign-in/${link}`);
  const ann = await memberWith(service, 'owner');
  for (const browser of [operator, ann]) {
    expect((await to(browser, { test: true })).json).toMatchObject({ test: true, name: 'tests' });
    const account = await browser.call('GET', '/v1/account');
    expect([account.headers['mxproof-mode'], account.json.credits]).toEqual(['test', 1_000_000]);
    // Members are of the account, on whichever side it is.
    expect((await browser.call('GET', '/v1/members')).json.members).toHaveLength(1);
    expect((await to(browser, {})).json).toMatchObject({ test: false });
    expect((await browser.call('GET', '/v1/account')).headers['mxproof-mode']).toBeUndefined();
  }
  expect(await shown(operator)).toMatchObject({ role: null, manage: true, accounts: [] });
  const signedIn = await service.call('POST', '/session', {
    key: null,
    body: { api_key: service.account.apiKey },
  });
  const byKey = browserWith(service, secretsOf(signedIn));
  const refused = await to(byKey, { test: true });
  expect([refused.status, refused.headers['mxproof-error']]).toEqual([409, 'no_other_side']);
  expect(await shown(byKey)).toMatchObject({ role: null, manage: true, can_switch_side: false });
});

test('a key has no session, and another site cannot move one', async () => {
  expect((await service.call('GET', '/session')).status).toBe(401);
  expect((await service.call('POST', '/session/switch', { body: {} })).status).toBe(401);
  const ann = await memberWith(service, 'owner');
  const { 'x-mxproof-console': _, ...without } = ann.headers;
  const forged = await service.call('POST', '/session/switch', {
    key: null,
    headers: without,
    body: { test: true },
  });
  expect([forged.status, forged.headers['mxproof-error']]).toEqual([403, 'foreign_page']);
  const { 'mxproof-session-proof': __, ...noProof } = ann.headers;
  expect((await service.call('GET', '/session', { key: null, headers: noProof })).status).toBe(401);
});
