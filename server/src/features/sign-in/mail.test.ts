// Asking for a sign-in link by mail, as a member does, and as somebody who wants to know who is one.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { until } from '../../../test/until.ts';
import { insertMailedLink } from '../../store/link-mails.ts';
import { sweepMailedLinks } from '../../store/mailed-links.ts';
import { insertMember } from '../../store/members.ts';

let service: TestService;
let origin: string;
beforeAll(async () => {
  service = await startService({ signIn: { byKey: true, byMail: true, openid: null } });
  origin = `http://127.0.0.1:${service.port}`;
});
afterAll(() => service.close());
beforeEach(async () => {
  await db().query('DELETE FROM mxproof.sign_in_attempts');
  await db().query('DELETE FROM mxproof.link_mails');
});

const db = () => service.context.db;
const ask = (body: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', '/sign-in/mail', { key: null, body, headers });
const mailed = async () => {
  const rows = await db().query<{ email: string }>(
    'SELECT email FROM mxproof.link_mails ORDER BY created_at',
  );
  return rows.map(({ email }) => email);
};
const invite = (email: string, accountId = service.account.accountId) =>
  insertMember(db(), { accountId, email, role: 'member' });

/** As the mail has it. */
async function link(email: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await insertMailedLink(db(), email, createHash('sha256').update(token).digest());
  return token;
}
const open = (token: string, init: RequestInit = {}) => fetch(`${origin}/sign-in/mail/${token}`, init);
const press = (token: string, headers: Record<string, string> = { origin }) =>
  open(token, { method: 'POST', headers });

test('the answer is the same for whoever belongs here, whoever does not, and what is no mailbox', async () => {
  await invite('known@example.com');
  const answers = [];
  for (const email of ['stranger@example.com', 'nonsense', 'Known@Example.com']) {
    const { status, text, headers } = await ask({ email });
    const { date: _date, 'x-request-id': _id, ...rest } = headers;
    answers.push(JSON.stringify([status, text, rest]));
  }
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('[202,"{}"');
  await until(async () => (await mailed()).length > 0);
  expect(await mailed()).toEqual(['known@example.com']);
  expect(service.logged.join('')).not.toMatch(/known@|stranger@/i);
});

test('the answer waits for nothing that is known only of members', async () => {
  await invite('locked@example.com');
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const holding = db().transaction(async (tx) => {
    await tx.query('LOCK TABLE mxproof.members, mxproof.people, mxproof.link_mails IN ACCESS EXCLUSIVE MODE');
    locked();
    await promise;
  });
  await isLocked;
  for (const email of ['locked@example.com', 'stranger@example.com'])
    expect((await ask({ email })).status).toBe(202);
  letGo();
  await holding;
  await until(async () => (await mailed()).length > 0);
  expect(await mailed()).toEqual(['locked@example.com']);
});

test('one client asks thirty times a minute, and pages of others do not ask', async () => {
  const other = await startService({ signIn: { byKey: true, byMail: true, openid: null } });
  try {
    const call = (headers: Record<string, string> = {}) =>
      other.call('POST', '/sign-in/mail', { key: null, body: { email: 'a@example.com' }, headers });
    expect((await call({ origin: 'https://evil.example' })).json.error).toContain("service's own page");
    for (let n = 1; n < 30; n++) expect((await call()).status).toBe(202);
    expect((await call()).status).toBe(429);
  } finally {
    await other.close();
  }
});

test('where no relay is set, it is not offered', async () => {
  const other = await startService({ signIn: { byKey: true, byMail: false, openid: null } });
  try {
    const answer = await other.call('POST', '/sign-in/mail', { key: null, body: { email: 'a@example.com' } });
    expect([answer.status, answer.json.error]).toEqual([
      404,
      'this way of signing in is not set up: choose another',
    ]);
    expect((await other.call('GET', '/session/ways', { key: null })).json.mail).toBe(false);
  } finally {
    await other.close();
  }
});

test('a link proves the mailbox: looking at it uses nothing up, and pressing signs in, once', async () => {
  const other = await service.open({ name: 'the other account' });
  await invite('ann@example.com');
  await invite('ann@example.com', other.accountId);
  const [token, another] = [await link('ann@example.com'), await link('ann@example.com')];
  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await open(token, { method, headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
    if (method === 'GET') expect(await page.text()).toContain('<strong>ann@example.com</strong>');
  }
  for (const headers of [{}, { origin: 'https://evil.example' }])
    expect((await press(token, headers as Record<string, string>)).status).toBe(403);
  const pressed = await press(token);
  expect(pressed.status).toBe(200);
  const { proof } = (await pressed.json()) as { proof: string };
  const headers = {
    cookie: pressed.headers.get('set-cookie')!.split(';')[0]!,
    'mxproof-session-proof': proof,
  };
  const session = await service.call('GET', '/session', { key: null, headers });
  expect(session.json.accounts).toHaveLength(2);
  expect((await press(token)).status).toBe(404);
  // Whoever has just signed in needs no other, and nobody else should have one.
  expect((await press(another)).status).toBe(404);
});

test('a link of somebody who was removed meanwhile lets nobody in', async () => {
  const member = await invite('gone@example.com');
  const token = await link('gone@example.com');
  await db().query('DELETE FROM mxproof.members WHERE id = $1', [member!.id]);
  const pressed = await press(token);
  expect([pressed.status, pressed.headers.get('set-cookie')]).toEqual([403, null]);
  expect(await pressed.json()).toEqual({ error: 'you are not invited: ask an owner of the account' });
  expect(await db().query("SELECT 1 FROM mxproof.people WHERE email = 'gone@example.com'")).toEqual([]);
});

test('a link is good for a quarter of an hour', async () => {
  await invite('late@example.com');
  const token = await link('late@example.com');
  await db().query("UPDATE mxproof.mailed_links SET created_at = created_at - interval '15 minutes'");
  expect((await open(token)).status).toBe(404);
  const page = await open(token, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('This link no longer works');
  expect((await press(token)).status).toBe(404);
  await sweepMailedLinks(db());
  expect(await db().query('SELECT 1 FROM mxproof.mailed_links')).toEqual([]);
});

test('the page is told what is set up', async () => {
  const ways = await service.call('GET', '/session/ways', { key: null });
  expect(ways.json).toEqual({ key: true, mail: true, openid: null });
  expect((await service.call('GET', '/sign-in/openid', { key: null })).headers['mxproof-error']).toBe(
    'sign_in_not_set_up',
  );
});
