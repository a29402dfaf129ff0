// Mail to members, through the service: invitations, links that sign in, lists, credits, and how it is stopped.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { headersOf, type MailRelay, pathIn, startRelay, type TakenMail } from '../../../test/mail-relay.ts';
import { type Browser, browserOf, invite, memberWith, signInWithMailbox } from '../../../test/members.ts';
import { quiet } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { accepted } from '../../../test/verdicts.ts';
import { hashToken } from '../../rules/bearer-token.ts';
import { askForSignInMail, MAILS_AN_HOUR } from '../../store/link-mails.ts';
import { startMail } from './start-mail.ts';
import { claimLinks, noteLinkFailed, sweepLinks } from './stored-link-mails.ts';
import { claimMail, mailState, noteSent, readAccountMail, setAccountMail, sweepMail } from './stored-mail.ts';

let service: TestService;
let relay: MailRelay;
let closers: (() => Promise<unknown>)[] = [];
let refusing: Error | null = null;
beforeAll(async () => {
  service = await startService({ sendsMail: true, publicUrl: 'https://verify.example' });
});
afterAll(() => service.close());
beforeEach(async () => {
  const { db } = service.context;
  for (const table of ['mail_events', 'link_mails', 'members', 'people', 'sign_in_attempts', 'mailed_links'])
    await db.query(`DELETE FROM mxproof.${table}`);
  await db.transaction((tx) => setAccountMail(tx, service.account.accountId, null));
  await sweepMail(db);
  refusing = null;
  relay = await startRelay(() => refusing);
  closers = [relay.close];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
});

function sending(): void {
  const loop = startMail({
    db: service.context.db,
    sender: {
      from: 'mxproof@a.example',
      relay: { host: '127.0.0.1', port: relay.port, security: 'none', login: null },
    },
    target: { dnsServers: [], limitMs: 2_000 },
    publicUrl: 'https://verify.example',
    localUrl: 'http://127.0.0.1:8080',
    log: quiet,
    everyMs: 20,
    linksEveryMs: 20,
  });
  closers.push(loop.stop);
}

const taken = (count: number): Promise<TakenMail> =>
  until(async () => {
    expect(relay.taken).toHaveLength(count);
    return relay.taken[count - 1]!;
  });
const waiting = async () => (await mailState(service.context.db)).waiting;
const sent = (kind: string) =>
  service.context.db.query('UPDATE mxproof.link_mails SET next_at = NULL WHERE kind = $1', [kind]);
const askToSignIn = (email: string) => service.context.db.transaction((tx) => askForSignInMail(tx, email));
/** Their mailbox is proved. */
async function provedMember(role: 'owner' | 'member' | 'viewer', email = `${role}@x.test`): Promise<Browser> {
  await invite(service, { email, role });
  await service.context.db.query('DELETE FROM mxproof.link_mails');
  return (await signInWithMailbox(service, email))!;
}
async function start(browser: Browser, more: object = {}): Promise<number> {
  const made = await browser.call('POST', '/v1/lists', {
    name: 'spring.xlsx',
    emails: ['ok@example.com'],
    ...more,
  });
  expect(made.status).toBe(201);
  return made.json.id;
}

test('an invitation is mailed with a link of its own, which proves the mailbox', async () => {
  sending();
  const made = await service.call('POST', '/v1/members', { body: { email: 'Ann@x.test', role: 'member' } });
  expect(made.json).toMatchObject({ mailed: true, mail_error: null });
  const mail = await taken(1);
  expect(mail.to).toEqual(['ann@x.test']);
  expect(headersOf(mail.source)).not.toContain('List-Unsubscribe');
  expect(mail.source).not.toContain('stop-mail');
  const path = pathIn(mail, 'join');
  expect(path).not.toBe(new URL(made.json.link).pathname);
  const ann = await browserOf(service, path);
  expect((await ann.call('GET', '/session')).json.signed_in_as).toBe('ann@x.test');
  // The one that was shown joins, and proves nothing.
  const shown = await memberWith(service, 'viewer');
  expect((await shown.call('GET', '/session')).json.signed_in_as).toBe(null);
});

test('a link that signs in goes to mailboxes that are known, at once, and is stored as a hash alone', async () => {
  await provedMember('member', 'ann@x.test');
  await invite(service, { email: 'bob@x.test', role: 'viewer' });
  await service.context.db.query('DELETE FROM mxproof.link_mails');
  expect(await askToSignIn('stranger@x.test')).toBe(false);
  expect(await askToSignIn('ann@x.test')).toBe(true);
  expect(await askToSignIn('bob@x.test')).toBe(true);
  sending();
  await taken(2);
  expect(relay.taken.flatMap(({ to }) => to).toSorted()).toEqual(['ann@x.test', 'bob@x.test']);
  for (const mail of relay.taken) {
    const token = pathIn(mail, 'sign-in/mail').split('/').at(-1)!;
    const rows = await service.context.db.query<{ email: string }>(
      'SELECT email FROM mxproof.mailed_links WHERE hash = $1',
      [hashToken(token)],
    );
    expect(rows.map(({ email }) => email)).toEqual(mail.to);
    expect(headersOf(mail.source)).not.toContain('List-Unsubscribe');
  }
});

test('no mailbox gets more than its bound of an hour, whoever is removed meanwhile; the two kinds are counted apart', async () => {
  const mailed: boolean[] = [];
  for (let at = 0; at <= MAILS_AN_HOUR; at++) {
    const { json } = await service.call('POST', '/v1/members', {
      body: { email: 'ann@x.test', role: 'viewer' },
    });
    mailed.push(json.mailed);
    if (at < MAILS_AN_HOUR) await service.call('DELETE', `/v1/members/${json.id}`);
  }
  expect(mailed).toEqual([...Array(MAILS_AN_HOUR).fill(true), false]);
  const asked: boolean[] = [];
  for (let at = 0; at < MAILS_AN_HOUR + 3; at++) {
    asked.push(await askToSignIn('ann@x.test'));
    await sent('sign_in');
  }
  expect(asked.filter(Boolean)).toHaveLength(MAILS_AN_HOUR);
  await service.context.db.query("UPDATE mxproof.link_mails SET created_at = now() - interval '61 minutes'");
  expect(await askToSignIn('ann@x.test')).toBe(true);
  // Of those that were removed nothing is sent; all of them still count.
  expect((await claimLinks(service.context.db)).filter(({ kind }) => kind === 'invitation')).toEqual([]);
  await service.context.db.query("UPDATE mxproof.link_mails SET created_at = now() - interval '8 days'");
  await sweepLinks(service.context.db);
  expect(await service.context.db.query('SELECT FROM mxproof.link_mails')).toEqual([]);
});

test('a mailbox gets one mail a minute: links wait for links, and other mail for them', async () => {
  const { db } = service.context;
  const ann = await provedMember('member', 'ann@x.test');
  const both = await Promise.all([askToSignIn('ann@x.test'), askToSignIn('ann@x.test')]);
  expect(both.toSorted()).toEqual([false, true]);
  expect(await claimLinks(db)).toHaveLength(1);
  // It is on its way, however long that takes.
  expect(await askToSignIn('ann@x.test')).toBe(false);
  await sent('sign_in');
  expect(await askToSignIn('ann@x.test')).toBe(true);
  expect(await claimLinks(db)).toEqual([]);
  await service.find(await start(ann, { mail_when_done: true }), { 0: accepted });
  expect(await claimMail(db)).toEqual([]);
  await db.query(
    "UPDATE mxproof.link_mails SET created_at = created_at - interval '61 seconds', next_at = next_at - interval '61 seconds'",
  );
  expect(await claimLinks(db)).toHaveLength(1);
  expect(await claimMail(db)).toEqual([]);
  await db.query("UPDATE mxproof.link_mails SET created_at = created_at - interval '61 seconds'");
  expect(await claimMail(db)).toHaveLength(1);
});

test('a relay that refuses delays no invitation and is shown to the owner, without the settings of the operator', async () => {
  refusing = Object.assign(new Error('no such user ann@x.test'), { responseCode: 550 });
  sending();
  const { id } = await invite(service, { email: 'ann@x.test', role: 'member' });
  const error = await until(async () => {
    const { json } = await service.call('GET', '/v1/members');
    expect(json.members[0].mail_error).not.toBe(null);
    return json.members[0].mail_error;
  });
  expect(error).toBe('The message was refused by the mail server of this service (550).');
  refusing = null;
  await service.context.db.query('UPDATE mxproof.link_mails SET next_at = now()');
  await browserOf(service, pathIn(await taken(1), 'join'));
  await until(async () => {
    const { json } = await service.call('GET', '/v1/members');
    expect(json.members).toMatchObject([{ id, status: 'joined', mail_error: null }]);
  });
});

test('a link that signs in is tried for ten minutes, an invitation for three days', async () => {
  const { db } = service.context;
  await provedMember('member', 'ann@x.test');
  await askToSignIn('ann@x.test');
  await invite(service, { email: 'bob@x.test', role: 'viewer' });
  refusing = new Error('no');
  await db.query("UPDATE mxproof.link_mails SET created_at = now() - interval '11 minutes'");
  sending();
  await until(async () => {
    const rows = await db.query(
      `SELECT kind, next_at IS NULL AS over FROM mxproof.link_mails WHERE error IS NOT NULL ORDER BY kind`,
    );
    expect(rows).toEqual([
      { kind: 'invitation', over: false },
      { kind: 'sign_in', over: true },
    ]);
  });
});

test('of two nodes one has a mail, and a late failure of the other changes nothing', async () => {
  const { db } = service.context;
  await invite(service, { email: 'ann@x.test', role: 'member' });
  const [first] = await claimLinks(db);
  expect(await claimLinks(db)).toEqual([]);
  await db.query('UPDATE mxproof.link_mails SET next_at = now()');
  const [second] = await claimLinks(db);
  expect(second).toMatchObject({ id: first!.id, attempts: 2 });
  await noteLinkFailed(db, first!, { error: 'late', afterSeconds: null });
  expect(await db.query('SELECT next_at IS NULL AS over, error FROM mxproof.link_mails')).toEqual([
    { over: false, error: null },
  ]);
});

test('a member is mailed of the list for which they chose it, and nobody else is', async () => {
  const [ann, bob] = [await provedMember('member', 'ann@x.test'), await provedMember('owner', 'bob@x.test')];
  const list = await start(ann, { mail_when_done: true });
  const silent = await start(ann);
  await start(bob);
  for (const id of [list, silent]) await service.find(id, { 0: accepted });
  sending();
  const mail = await taken(1);
  expect(mail.to).toEqual(['ann@x.test']);
  expect(mail.source).toContain(`https://verify.example/lists/${list}`);
  expect(mail.source).toContain('because you are a member of account');
  expect(headersOf(mail.source)).toContain('List-Unsubscribe-Post');
  await until(async () => expect(await waiting()).toBe(0));
});

test('a member chooses it for all lists that they start, and says otherwise for one', async () => {
  const ann = await provedMember('viewer', 'ann@x.test');
  expect((await ann.call('GET', '/v1/members/me')).json).toEqual({
    ...{ list_mail: false, sends_mail: true, mail_to: 'ann@x.test', mail_stopped: false, mail_error: null },
  });
  expect((await ann.call('PATCH', '/v1/members/me', { list_mail: true })).json.list_mail).toBe(true);
  await service.context.db.query("UPDATE mxproof.members SET role = 'member'");
  const [told, untold] = [await start(ann), await start(ann, { mail_when_done: false })];
  for (const id of [told, untold]) await service.find(id, { 0: accepted });
  const [mail] = await claimMail(service.context.db);
  expect(mail!.events.map(({ list }) => list!.id)).toEqual([told]);
});

test('who is no member, or has proved no mailbox, is refused with a sentence', async () => {
  const body = { emails: ['ok@example.com'], mail_when_done: true };
  const byKey = await service.call('POST', '/v1/lists', { body });
  expect([byKey.status, byKey.json.error]).toEqual([403, 'only a signed-in member may ask for mail']);
  expect((await service.call('GET', '/v1/members/me')).status).toBe(403);
  expect((await service.call('PATCH', '/v1/members/me', { body: { list_mail: true } })).status).toBe(403);
  const shown = await memberWith(service, 'member');
  expect((await shown.call('POST', '/v1/lists', body)).headers['mxproof-error']).toBe('mailbox_not_proved');
  expect((await shown.call('PATCH', '/v1/members/me', { list_mail: true })).status).toBe(409);
  expect((await shown.call('PATCH', '/v1/members/me', { list_mail: 'yes' })).headers['mxproof-error']).toBe(
    'bad_list_mail',
  );
  expect(
    (await shown.call('POST', '/v1/lists', { ...body, mail_when_done: 1 })).headers['mxproof-error'],
  ).toBe('bad_mail_when_done');
  expect((await shown.call('GET', '/v1/members/me')).json.mail_to).toBe(null);
});

test('credits that are low are told to the account’s address and to every owner, each once', async () => {
  const { db } = service.context;
  const { accountId } = service.account;
  await provedMember('owner', 'ann@x.test');
  await provedMember('owner', 'bob@x.test');
  await provedMember('member', 'carl@x.test');
  // The same mailbox as an owner's.
  await db.transaction((tx) => setAccountMail(tx, accountId, 'Ann@x.test'));
  await db.query('UPDATE mxproof.accounts SET low_credits = credits WHERE id = $1', [accountId]);
  await db.query('UPDATE mxproof.accounts SET credits = credits - 1 WHERE id = $1', [accountId]);
  const mails = await claimMail(db);
  expect(mails.map(({ address }) => address).toSorted()).toEqual(['ann@x.test', 'bob@x.test']);
  // The address is set again: that mends a failure, and does not hurry what has just been sent.
  for (const mail of mails) await noteSent(db, mail);
  await db.transaction((tx) => setAccountMail(tx, accountId, 'ANN@x.test'));
  await db.query('UPDATE mxproof.accounts SET credits = credits + 1 WHERE id = $1', [accountId]);
  await db.query('UPDATE mxproof.accounts SET credits = credits - 1 WHERE id = $1', [accountId]);
  expect(await waiting()).toBe(2);
  expect(await claimMail(db)).toEqual([]);
  await db.query('UPDATE mxproof.accounts SET low_credits = NULL WHERE id = $1', [accountId]);
});

test('whoever reads the mailbox stops it with one click that needs no sign-in; looking at the link does not', async () => {
  const { db } = service.context;
  const ann = await provedMember('member', 'ann@x.test');
  await ann.call('PATCH', '/v1/members/me', { list_mail: true });
  await service.find(await start(ann), { 0: accepted });
  sending();
  const path = pathIn(await taken(1), 'stop-mail');
  await service.find(await start(ann), { 0: accepted });
  const asked = await service.call('GET', path, { key: null });
  expect(asked.text).toContain('<form method="post">');
  expect(asked.headers['content-security-policy']).toContain("form-action 'self'");
  expect(asked.text).not.toMatch(/ann@|tests/);
  expect((await ann.call('GET', '/v1/members/me')).json.mail_stopped).toBe(false);
  expect(await waiting()).toBe(1);
  // As a mail program sends it.
  const stopped = await service.call('POST', path, {
    key: null,
    raw: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
  });
  expect([stopped.status, stopped.text]).toEqual([200, expect.stringContaining('You get no more of these')]);
  expect(await waiting()).toBe(0);
  expect((await ann.call('GET', '/v1/members/me')).json).toMatchObject({
    list_mail: false,
    mail_stopped: true,
  });
  await service.find(await start(ann), { 0: accepted });
  expect(await waiting()).toBe(0);
  // They ask for some again.
  await service.find(await start(ann, { mail_when_done: true }), { 0: accepted });
  expect(await waiting()).toBe(1);
  expect((await ann.call('GET', '/v1/members/me')).json.mail_stopped).toBe(false);
  for (const unknown of ['/stop-mail/x', '/stop-mail/00000000-0000-4000-8000-000000000000'])
    for (const method of ['GET', 'POST']) {
      const program = await service.call(method, unknown, { key: null });
      expect([program.status, program.text]).toEqual([404, '{"error":"not found"}']);
      const page = await fetch(`http://127.0.0.1:${service.port}${unknown}`, {
        method,
        headers: { accept: 'text/html' },
      });
      expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('no longer works')]);
    }
  expect(service.logged.join('')).not.toContain(path.split('/').at(-1));
  await db.query('DELETE FROM mxproof.mail_events');
});

test('the account’s address is stopped as well, which the operator sees, and set again by them', async () => {
  const { db } = service.context;
  const { accountId } = service.account;
  await db.transaction((tx) => setAccountMail(tx, accountId, 'ops@x.test'));
  await service.find(await start(await provedMember('member')), { 0: accepted });
  sending();
  await service.call('POST', pathIn(await taken(1), 'stop-mail'), { key: null });
  expect((await readAccountMail(db, accountId))?.stoppedAtSeconds).toEqual(expect.any(Number));
  await db.transaction((tx) => setAccountMail(tx, accountId, 'ops@x.test'));
  expect((await readAccountMail(db, accountId))?.stoppedAtSeconds).toBe(null);
});

test('of a member who is removed nothing is told, and nothing is left', async () => {
  const { db } = service.context;
  const ann = await provedMember('member', 'ann@x.test');
  const list = await start(ann, { mail_when_done: true });
  await service.find(list, { 0: accepted });
  const later = await start(ann, { mail_when_done: true });
  expect(await claimMail(db)).toHaveLength(1);
  const { json } = await service.call('GET', '/v1/members');
  await service.call('DELETE', `/v1/members/${json.members[0].id}`);
  await service.find(later, { 0: accepted });
  expect(await waiting()).toBe(0);
  await sweepMail(db);
  expect(await db.query('SELECT FROM mxproof.mail_recipients')).toEqual([]);
});
