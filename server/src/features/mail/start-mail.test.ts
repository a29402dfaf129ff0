// Mail to the people of accounts, from what happens to what a relay takes.

import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../../test/fake-checker.ts';
import { startRelay as startMailRelay } from '../../../test/mail-relay.ts';
import { addresses, quiet, startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { cancelList } from '../../flow/cancel-list.ts';
import { deleteWithUndo, undeleteList } from '../../flow/delete-with-undo.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { setLowCredits } from '../../store/accounts.ts';
import { sayWhere } from '../../store/http-nodes.ts';
import { insertEndpoint, switchOff } from '../webhooks/stored-endpoints.ts';
import { delayAfter } from './mail-service.ts';
import { startMail } from './start-mail.ts';
import { claimMail, mailState, noteSent, readAccountMail, setAccountMail, sweepMail } from './stored-mail.ts';

let s: TestService;
let closers: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  s = await startTestService();
  closers = [];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  await s.close();
});

async function startRelay(refuse?: () => Error | null) {
  const relay = await startMailRelay(refuse);
  closers.push(relay.close);
  return relay;
}

function service(port: number, log = quiet) {
  return {
    db: s.db,
    sender: {
      from: 'mxproof@a.example',
      relay: { host: '127.0.0.1', port, security: 'none', login: null },
    },
    target: { dnsServers: [], limitMs: 2_000 },
    publicUrl: 'https://verify.example',
    localUrl: 'http://127.0.0.1:8080',
    log,
  } as const;
}

function sending(
  port: number,
  more: {
    log?: typeof quiet;
    publicUrl?: string | null;
    target?: { dnsServers: never[]; limitMs: number };
  } = {},
) {
  const loop = startMail({ ...service(port), ...more, everyMs: 20 });
  closers.push(loop.stop);
  return loop;
}

const mailTo = (address: string | null, accountId = s.accountId) =>
  s.db.transaction((tx) => setAccountMail(tx, accountId, address));
/** A minute, or a failure's delay, is over. */
const later = () => s.db.query("UPDATE mxproof.mail_recipients SET next_at = now() - interval '1 second'");
const waiting = async () => (await mailState(s.db)).waiting;
const idOf = (source: string) => /^Message-ID: (.*)$/im.exec(source)![1];

async function endList(name = 'spring.xlsx') {
  const list = await s.submit(addresses(1), { name });
  await s.db.query(
    "UPDATE mxproof.lists SET status = 'done', checked = 1, deliverable = 1, finished_at = now() WHERE id = $1",
    [list.id],
  );
  return list;
}

test('a list that is done is told to the person of its account, with its counts and its page', async () => {
  const relay = await startRelay();
  await mailTo('anna@b.example');
  const node = await s.node(createFakeChecker());
  closers.push(node.stop);
  sending(relay.port);
  const list = await s.submit(['ok@example.com', 'no@example.com'], { name: 'Frühling.xlsx' });
  await until(async () => expect(relay.taken).toHaveLength(1));
  const [{ to, source } = { to: [], source: '' }] = relay.taken;
  expect(to).toEqual(['anna@b.example']);
  expect(source).toMatch(/^To: anna@b\.example\r$/m);
  expect(source).toMatch(
    /^List-Unsubscribe:\s+<https:\/\/verify\.example\/stop-mail\/[0-9a-f-]{36}>,\s+<mailto:mxproof@a\.example\?subject=/m,
  );
  expect(source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(source).toMatch(/multipart\/alternative/);
  expect(source).toContain(`https://verify.example/lists/${list.id}`);
  expect(source).toMatch(/^ {2}Send +\d/m);
  expect(source).toMatch(/^ {2}No answer yet +\d/m);
  expect(source).not.toContain('example.com');
  await until(async () => expect(await waiting()).toBe(0));
});

test('single checks, test lists, cancelled lists and accounts without a person are told to no person', async () => {
  await endList();
  await mailTo('anna@b.example');
  await s.submit(['ok@example.com'], { single: true });
  await s.db.query("UPDATE mxproof.lists SET status = 'done', finished_at = now() WHERE single");
  const list = await s.submit(['slow@example.com']);
  await cancelList(s.context, THE_SERVICE, list.id, s.accountId);
  const [twin] = await s.db.query<{ id: number }>(
    "INSERT INTO mxproof.accounts (name, webhook_secret, test_of) VALUES ('t', '', $1) RETURNING id",
    [s.accountId],
  );
  await mailTo('anna@b.example', twin!.id);
  expect(await readAccountMail(s.db, twin!.id)).toBe(null);
  expect(await waiting()).toBe(0);
  await endList();
  expect(await waiting()).toBe(1);
});

test('credits that fall below their limit, and an endpoint that is switched off, are told of once', async () => {
  const relay = await startRelay();
  await mailTo('anna@b.example');
  await setLowCredits(s.db, s.accountId, 1_000_000);
  const endpoint = await s.db.transaction((tx) =>
    insertEndpoint(tx, s.box, {
      accountId: s.accountId,
      url: 'https://hooks.example/token',
      description: '',
      events: [],
    }),
  );
  await s.submit(addresses(2));
  await s.submit(addresses(2, 'more'));
  await switchOff(s.db, endpoint!.endpoint.id, 'failing');
  await switchOff(s.db, endpoint!.endpoint.id, 'failing');
  expect(await waiting()).toBe(2);
  sending(relay.port);
  await until(async () => expect(relay.taken).toHaveLength(1));
  const { source } = relay.taken[0]!;
  expect(source).toContain('999,998 credits are left');
  expect(source).toContain('hooks.example');
  expect(source).not.toContain('token');
});

test('a person gets one mail a minute: what happens meanwhile is gathered, of all of the accounts', async () => {
  const relay = await startRelay();
  const other = await s.open();
  await mailTo('anna@b.example');
  await mailTo('anna@b.example', other);
  await endList('first');
  sending(relay.port);
  await until(async () => expect(relay.taken).toHaveLength(1));
  await endList('second');
  await s.db.query('UPDATE mxproof.accounts SET low_credits = credits WHERE id = $1', [other]);
  await s.db.query('UPDATE mxproof.accounts SET credits = credits - 1 WHERE id = $1', [other]);
  expect(await claimMail(s.db)).toEqual([]);
  // The first is noted as sent, which begins its minute.
  await until(async () => expect(await waiting()).toBe(2));
  await later();
  await until(async () => expect(relay.taken).toHaveLength(2));
  expect(relay.taken[1]!.source).toContain('second');
  expect(relay.taken[1]!.source).toContain('Account 2 (another)');
  expect(relay.taken[1]!.source).not.toContain('first');
});

test('of several nodes that send at once, each mail is sent by one', async () => {
  const relay = await startRelay();
  const mailboxes = Array.from({ length: 30 }, (_, at) => `p${at}@b.example`);
  for (const mailbox of mailboxes) {
    const account = await s.open();
    await mailTo(mailbox, account);
    await s.db.query(
      `INSERT INTO mxproof.mail_events (account_id, event, facts) VALUES ($1, 'credits.low', '{"credits": 1, "lowCredits": 2}')`,
      [account],
    );
  }
  // On a busy machine, too: what is not noted in time is sent again.
  const target = { dnsServers: [], limitMs: 60_000 };
  for (let node = 0; node < 3; node++) sending(relay.port, { target });
  await until(async () => expect(await waiting()).toBe(0));
  expect(relay.taken.flatMap(({ to }) => to).toSorted()).toEqual(mailboxes.toSorted());
});

test('a relay that refuses or is away delays nothing and loses nothing, and what went wrong is shown', async () => {
  let refusing = true;
  const relay = await startRelay(() => (refusing ? new Error('mailbox of anna@b.example is full') : null));
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  await mailTo('anna@b.example');
  await endList('one');
  sending(relay.port, { log });
  await until(async () => expect((await readAccountMail(s.db, s.accountId))?.failure).not.toBe(null));
  expect(await readAccountMail(s.db, s.accountId)).toMatchObject({
    address: 'anna@b.example',
    failure: { error: expect.stringMatching(/^The message was refused by the relay/) },
  });
  expect(await mailState(s.db)).toMatchObject({ recipients: 1, failing: 1, waiting: 1 });
  expect(lines.join('')).toContain('mail not sent, retrying');
  // What happens meanwhile is in the next mail: this one stays what it was.
  await endList('two');
  refusing = false;
  await later();
  await until(async () => expect(relay.taken).toHaveLength(1));
  expect(relay.taken[0]!.source).not.toContain('two');
  await until(async () => expect((await readAccountMail(s.db, s.accountId))?.failure).toBe(null));
  await later();
  await until(async () => expect(relay.taken).toHaveLength(2));
  expect(lines.join('')).not.toContain('anna@');
});

test('a node that dies while it sends leaves the mail to be sent again, with the same Message-ID', async () => {
  const relay = await startRelay();
  await mailTo('anna@b.example');
  await endList();
  const [claimed] = await claimMail(s.db);
  expect(claimed).toMatchObject({ address: 'anna@b.example', attempts: 1, events: [{ event: 'list.done' }] });
  // No other node has it meanwhile.
  expect(await claimMail(s.db)).toEqual([]);
  await endList('later');
  await later();
  sending(relay.port);
  await until(async () => expect(relay.taken).toHaveLength(1));
  expect(idOf(relay.taken[0]!.source)).toBe(`<mail.${claimed!.message}@a.example>`);
  await until(async () => expect(await waiting()).toBe(1));
});

test('what no relay takes for three days is given up, with a line in the log; what came later is tried', async () => {
  const relay = await startRelay(() => Object.assign(new Error('no'), { responseCode: 550 }));
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  await mailTo('anna@b.example');
  await endList('old');
  await s.db.query("UPDATE mxproof.mail_events SET created_at = now() - interval '73 hours'");
  const [old] = await claimMail(s.db);
  await endList('new');
  await later();
  sending(relay.port, { log });
  await until(async () => expect(lines.join('')).toContain('mail given up'));
  await until(async () => expect(await waiting()).toBe(1));
  expect(old!.events[0]!.list!.name).toBe('old');
  // Whoever asks about the account reads what went wrong; the operator is warned of what is still tried.
  expect(await mailState(s.db)).toMatchObject({ failing: 1 });
  await s.db.query('DELETE FROM mxproof.mail_events');
  expect(await mailState(s.db)).toMatchObject({ failing: 0, error: null });
  expect((await readAccountMail(s.db, s.accountId))?.failure).not.toBe(null);
  let days = 0;
  for (let attempt = 1; attempt <= 30; attempt++) days += delayAfter(attempt) / 86_400;
  // Not hundreds of attempts at an address that is refused.
  expect(days).toBeGreaterThan(3);
});

test('without a relay nothing waits for ever', async () => {
  await mailTo('anna@b.example');
  await endList();
  await s.db.query("UPDATE mxproof.mail_events SET created_at = now() - interval '97 hours'");
  await sweepMail(s.db);
  expect(await waiting()).toBe(0);
});

test('a list that is deleted is told of only once it is brought back; one that is gone never', async () => {
  await mailTo('anna@b.example');
  const list = await endList();
  await deleteWithUndo(s.context, THE_SERVICE, list.id, s.accountId, 60);
  expect(await claimMail(s.db)).toEqual([]);
  await undeleteList(s.context, THE_SERVICE, list.id, s.accountId);
  expect(await claimMail(s.db)).toHaveLength(1);
  await s.db.query('DELETE FROM mxproof.lists WHERE id = $1', [list.id]);
  expect(await waiting()).toBe(0);
});

test('another person is told nothing that the one before was not told yet, and none is left behind', async () => {
  await mailTo('anna@b.example');
  await endList();
  await mailTo('anna@b.example');
  expect(await waiting()).toBe(1);
  await mailTo('ben@b.example');
  expect(await waiting()).toBe(0);
  await endList();
  await mailTo(null);
  expect(await waiting()).toBe(0);
  expect(await s.db.query('SELECT FROM mxproof.mail_recipients')).toEqual([]);
  await endList();
  expect(await waiting()).toBe(0);
});

test('a relay that hangs holds up neither another relay’s mail nor the end of the node', async () => {
  const hanging = createServer(() => {});
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => hanging.close(() => resolve())));
  await mailTo('anna@b.example');
  await endList();
  const loop = startMail({
    ...service((hanging.address() as AddressInfo).port),
    everyMs: 20,
    stopGraceMs: 50,
  });
  await until(async () => expect(await claimMail(s.db)).toEqual([]));
  await loop.stop();
  expect(await waiting()).toBe(1);
});

test('where no public URL is set, links lead to a node that serves', async () => {
  const relay = await startRelay();
  await mailTo('anna@b.example');
  await sayWhere(s.db, randomUUID(), { url: 'http://192.0.2.1:8080', isPublic: false, machine: 'm' });
  const list = await endList();
  sending(relay.port, { publicUrl: null });
  await until(async () => expect(relay.taken).toHaveLength(1));
  expect(relay.taken[0]!.source).toContain(`http://192.0.2.1:8080/lists/${list.id}`);
});

test('a name and an address with everything in them stay one header each, and one recipient', async () => {
  const relay = await startRelay();
  await mailTo('"a,b"@b.example');
  await endList('x\r\nBcc: evil@evil.example\r\n\r\n<script>');
  sending(relay.port);
  await until(async () => expect(relay.taken).toHaveLength(1));
  const { to, source } = relay.taken[0]!;
  expect(to).toHaveLength(1);
  expect(to[0]).toMatch(/@b\.example$/);
  expect(source).not.toMatch(/^Bcc/im);
  expect(source).not.toContain('evil@evil.example');
  expect(source.split('text/html')[1]).not.toContain('<script>');
});

test('a mail that was taken twice over is noted once', async () => {
  await mailTo('anna@b.example');
  await endList();
  const [mail] = await claimMail(s.db);
  await noteSent(s.db, mail!);
  await noteSent(s.db, mail!);
  expect(await waiting()).toBe(0);
});
