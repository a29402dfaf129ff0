// Alerts, and mail to people of accounts, through a real Postfix: TLS, STARTTLS and none, with a login and without.
// Promise: the mailbox has what was sent; a wrong password is told of in one sentence without it.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { freePort, type MailServer, withoutServer } from '../../engine/test/mail-servers/mail-server.ts';
import { startPostfix } from '../../engine/test/mail-servers/postfix.ts';
import { TEST_ONLY_CERTIFICATE } from '../../world/src/test-only-certificate.ts';
import { alertBody } from '../src/features/alerts/alert-message.ts';
import { sendAlert } from '../src/features/alerts/send-alert.ts';
import { linkMailText } from '../src/features/mail/link-mail-text.ts';
import { mailText, type ToldEvent } from '../src/features/mail/mail-text.ts';
import { sendMail } from '../src/features/mail/send-mail.ts';
import type { SmtpRelay } from '../src/settings/alert-settings.ts';
import { until } from './until.ts';

const ADDRESS = '127.0.0.1';
const LOGIN = { user: 'mxproof', password: 'p@ss: wörd' };
const NOBODY = 65_534;
const BODY = alertBody({
  condition: 'source_resting',
  subject: '192.0.2.10',
  status: 'began',
  title: 'A source address rests',
  detail: 'It was refused, and rests at google.',
  advice: 'Run "mxproof sources".',
  since: 1_700_000_000,
  at: 1_700_000_060,
});

let postfix: MailServer | null = null;
let logins: Server | null = null;
let folder = '';
const ports = { starttls: 0, tls: 0, none: 0 };

beforeAll(async () => {
  // Others than those who run the tests deliver into it.
  folder = mkdtempSync(join(tmpdir(), 'mxproof-alert-mail-'));
  chmodSync(folder, 0o777);
  for (const one of ['starttls', 'tls', 'none'] as const) ports[one] = await freePort([ADDRESS]);
  logins = await startLogins();
  const uid = process.getuid?.() || NOBODY;
  postfix = await startPostfix({
    address: ADDRESS,
    port: ports.starttls,
    domain: 'ops.example',
    catchAllDomain: 'all.example',
    tls: 'required',
    nullSender: 'accepted',
    client: 'welcome',
    smtpUtf8: false,
    recipientsMax: null,
    connectionsMax: null,
    greyPort: 9,
    extra: {
      main: [
        `virtual_mailbox_base = ${folder}`,
        `virtual_uid_maps = static:${uid}`,
        `virtual_gid_maps = static:${uid}`,
        'virtual_minimum_uid = 1',
        'smtpd_sasl_auth_enable = yes',
        'smtpd_sasl_type = dovecot',
        `smtpd_sasl_path = inet:${ADDRESS}:${(logins.address() as AddressInfo).port}`,
        'smtpd_recipient_restrictions = permit_sasl_authenticated, reject',
      ],
      services: [
        'ADDRESS inet n - n - - smtpd',
        `${ADDRESS}:${ports.tls} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes`,
        `${ADDRESS}:${ports.none} inet n - n - - smtpd -o smtpd_tls_security_level=none -o smtpd_sasl_auth_enable=no -o smtpd_recipient_restrictions=reject_unauth_destination`,
      ],
    },
  });
});
afterAll(async () => {
  await postfix?.stop();
  await new Promise<void>((resolve) => (logins ? logins.close(() => resolve()) : resolve()));
  rmSync(folder, { recursive: true, force: true });
});

/** Knows one user, by the protocol in which Postfix asks Dovecot. */
async function startLogins(): Promise<Server> {
  const right = Buffer.from(`\0${LOGIN.user}\0${LOGIN.password}`).toString('base64');
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(
      `VERSION\t1\t1\nMECH\tPLAIN\tplaintext\nSPID\t1\nCUID\t1\nCOOKIE\t${'0'.repeat(32)}\nDONE\n`,
    );
    let rest = '';
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [command, id, ...words] = line.split('\t');
        if (command !== 'AUTH') continue;
        const isRight = words.includes(`resp=${right}`);
        socket.write(isRight ? `OK\t${id}\tuser=${LOGIN.user}\n` : `FAIL\t${id}\tuser=${LOGIN.user}\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve));
  return server;
}

function send(
  relay: Omit<SmtpRelay, 'host' | 'port'>,
  id: string,
  { to = 'anna@ops.example', isTrusted = true, host = 'localhost' } = {},
): Promise<string | null> {
  const mail = {
    to: [to],
    from: 'mxproof@a.example',
    relay: { host, port: ports[relay.security], ...relay },
  };
  const target = { isAllowed: () => false, dnsServers: [] };
  const sender = {
    ways: { post: null, mail },
    target,
    ...(isTrusted ? { relayCa: TEST_ONLY_CERTIFICATE } : {}),
  };
  return sendAlert(sender, { way: 'mail', id, body: BODY });
}

/** The message with this id in anna's mailbox. */
function arrived(id: string, kind = 'alert'): Promise<string> {
  const inbox = join(folder, 'anna/new');
  return until(() => {
    const messages = readdirSync(inbox).map((name) => readFileSync(join(inbox, name), 'utf8'));
    return messages.find((text) => text.includes(`${kind}.${id}@`)) ?? (false as never);
  });
}

const needsPostfix = (context: TestContext) => postfix ?? withoutServer('postfix', context);

test.for([
  ['tls', LOGIN],
  ['starttls', LOGIN],
  ['none', null],
] as const)('mail arrives over %s', async ([security, login], context) => {
  needsPostfix(context);
  expect(await send({ security, login }, security)).toBe(null);
  const text = await arrived(security);
  const [head = '', body = ''] = text.split(/\n\n(.*)/s);
  expect(head).toMatch(/^Return-Path: <mxproof@a\.example>$/m);
  expect(head).toMatch(/^From: mxproof@a\.example$/m);
  expect(head).toMatch(/^To: anna@ops\.example$/m);
  expect(head).toMatch(/^Subject: MXProof: Alert: A source address rests \(192\.0\.2\.10\)$/m);
  expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(head).toMatch(/^Date: Tue, 14 Nov 2023 22:14:20 \+0000$/m);
  expect(head).toMatch(new RegExp(`^Message-ID: <alert\\.${security}@a\\.example>$`, 'm'));
  expect(head).toMatch(/^Content-Type: text\/plain/m);
  expect(/with ESMTPSA/.test(head)).toBe(security !== 'none');
  expect(body.trim()).toBe(
    'It was refused, and rests at google.\n\nRun "mxproof sources".\n\nSince 2023-11-14 22:13 UTC.',
  );
});

test('a wrong password is told of in one sentence, without it', async (context) => {
  needsPostfix(context);
  const wrong = { user: LOGIN.user, password: 'hunter2' };
  for (const security of ['tls', 'starttls'] as const)
    expect(await send({ security, login: wrong }, 'wrong')).toBe(
      'The user name and password were refused by the relay of MXPROOF_SMTP_RELAY (535).',
    );
  expect(await send({ security: 'tls', login: null }, 'no-login')).toMatch(/was refused by .* \(554\)\.$/);
});

test('a certificate that cannot be verified, or is for another name, ends it before the password is said', async (context) => {
  const loginsBefore = needsPostfix(context)
    .log()
    .match(/sasl_username/g)?.length;
  for (const security of ['tls', 'starttls'] as const) {
    expect(await send({ security, login: LOGIN }, 'x', { isTrusted: false })).toMatch(
      /^There was no .* with the relay of MXPROOF_SMTP_RELAY \((SELF_SIGNED|DEPTH_ZERO|UNABLE|ESOCKET|ETLS)/,
    );
    expect(await send({ security, login: LOGIN }, 'x', { host: ADDRESS })).toMatch(/^There was no .* with/);
  }
  expect(postfix!.log().match(/sasl_username/g)?.length).toBe(loginsBefore);
});

test('a recipient that the relay does not take is told of', async (context) => {
  needsPostfix(context);
  expect(await send({ security: 'none', login: null }, 'y', { to: 'someone@elsewhere.example' })).toBe(
    'The recipient was refused by the relay of MXPROOF_SMTP_RELAY (454).',
  );
});

const HOSTILE = 'x\r\nBcc: eve@evil.example\r\n\r\n<script> Frühling =?utf-8?B?DQpCY2M6IGE=?=';
const TOLD = {
  facts: {},
  atSeconds: 0,
  accountId: 7,
  accountName: HOSTILE,
  list: null,
  endpoint: null,
  counts: null,
};
const EVENTS: readonly ToldEvent[] = [
  {
    ...TOLD,
    ...{ id: 1, event: 'list.done', forMember: true, list: { id: 1, name: HOSTILE, total: 5 } },
    counts: { send: 1, separate: 1, skip: 1, remove: 1, retry: 1 },
  },
  { ...TOLD, id: 2, event: 'credits.low', forMember: false, facts: { credits: 4, lowCredits: 5 } },
  {
    ...TOLD,
    ...{ id: 3, event: 'webhook.off', forMember: false, facts: { reason: 'gone' } },
    endpoint: { id: 3, url: 'https://hooks.example/x' },
  },
];
const URL = 'https://verify.example';
const OURS = [
  'Auto-Submitted',
  'Content-Type',
  'Date',
  'From',
  'MIME-Version',
  'Message-ID',
  'Subject',
  'To',
];
const STOPS = ['List-Unsubscribe', 'List-Unsubscribe-Post'];
const KINDS = [
  ...EVENTS.map((event) => ({
    kind: event.event,
    written: mailText({ events: [event], more: 0, url: URL, from: 'mxproof@a.example', stopToken: 't' }),
    headers: [...OURS, ...STOPS],
    link: { 'list.done': '/lists/1', 'credits.low': '/account', 'webhook.off': '/account#webhooks' }[
      event.event
    ],
  })),
  ...([{ kind: 'invitation', accountName: HOSTILE, role: 'member' }, { kind: 'sign_in' }] as const).map(
    (told) => ({
      kind: told.kind,
      written: linkMailText({ told, url: URL, token: 'tok' }),
      headers: OURS,
      link: told.kind === 'invitation' ? '/join/tok' : '/sign-in/mail/tok',
    }),
  ),
];

test.for(KINDS)('$kind arrives with its own headers alone, in both forms', async ({
  kind,
  written,
  headers,
  link,
}, context) => {
  needsPostfix(context);
  const relay = { host: 'localhost', port: ports.tls, security: 'tls', login: LOGIN } as const;
  const mail = {
    ...written,
    from: 'mxproof@a.example',
    to: ['anna@ops.example'],
    id: `p.${kind}`,
    date: new Date(0),
  };
  expect(await sendMail(relay, mail, { dnsServers: [], ca: TEST_ONLY_CERTIFICATE })).toEqual({
    error: null,
    refused: 0,
  });
  const text = await arrived(kind, 'p');
  const [head = '', body = ''] = text.split(/\n\n(.*)/s);
  const names = head
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .map((line) => line.slice(0, line.indexOf(':')));
  // Those of Postfix itself stand before ours.
  const theirs = ['Return-Path', 'X-Original-To', 'Delivered-To', 'Received'];
  expect(names.filter((name) => !theirs.includes(name)).toSorted()).toEqual(headers.toSorted());
  expect(head).toMatch(/^To: anna@ops\.example$/m);
  const whole = body.replace(/=\n/g, '').replace(/=3D/g, '=');
  expect(whole.match(/^Content-Type: text\/(plain|html); charset=utf-8$/gm)).toHaveLength(2);
  expect(whole).toContain(`\n${URL}${link}\n`);
  expect(whole).toContain(`href="${URL}${link}"`);
  expect(whole).not.toContain('eve@evil');
  expect(whole.split('text/html')[1]).not.toContain('<script>');
});
