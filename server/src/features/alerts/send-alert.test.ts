// One attempt at an alert, at receivers and relays that are hostile or out of order.
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { isPublicAddress } from '@mxproof/common/public-address';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../../../test/receiver.ts';
import type { AlertWays } from '../../settings/alert-settings.ts';
import { readConfig } from '../../settings/config.ts';
import { sendMail } from '../mail/send-mail.ts';
import { alertBody, alertMail } from './alert-message.ts';
import { operatorsTarget, sendAlert } from './send-alert.ts';

const SECRET = `whsec_${Buffer.from('thirty-two bytes of a secret key').toString('base64')}`;
const PASSWORD = 'hunter2';
const ALERT = {
  condition: 'disk_low',
  subject: 'node-1',
  status: 'began',
  title: 'Little room is left on a disk',
  detail: 'There are 0.5 GiB left.',
  advice: 'Make room.',
  since: 1_700_000_000,
  at: 1_700_000_060,
} as const;
const BODY = alertBody(ALERT);

async function posted(
  answer: Parameters<typeof startReceiver>[0],
  target: {
    isAllowed?: (ip: string) => boolean;
    limitMs?: number;
    ports?: { from: number; to: number }[];
  } = {},
): Promise<string | null> {
  const receiver = await startReceiver(answer);
  onTestFinished(() => receiver.close());
  const ways: AlertWays = { post: { url: receiver.url, secret: SECRET, format: 'json' }, mail: null };
  const options = { isAllowed: () => true, dnsServers: [], ca: receiver.ca, ...target };
  return sendAlert({ ways, target: options }, { way: 'post', id: 'x', body: BODY });
}

test('a receiver that answers with success has it, and one that redirects or refuses has not', async () => {
  expect(await posted((response) => response.writeHead(202).end())).toBe(null);
  expect(await posted((response) => response.writeHead(307, { location: 'https://localhost/' }).end())).toBe(
    'The receiver at MXPROOF_ALERT_URL answered 307.',
  );
  expect(await posted((response) => response.writeHead(500).end())).toMatch(/answered 500/);
});

test('a receiver that hangs or never ends its answer holds nothing up', async () => {
  expect(await posted(() => {}, { limitMs: 200 })).toMatch(/was not reached: time-out/);
  expect(
    await posted((response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
      response.on('close', () => clearInterval(more));
    }),
  ).toBe(null);
});

test('the guard of callbacks is that of alerts: private addresses and other ports are refused', async () => {
  const unreached = () => expect.unreachable();
  expect(await posted(unreached, { isAllowed: isPublicAddress })).toMatch(/private target/);
  expect(await posted(unreached, { ports: [{ from: 443, to: 443 }] })).toMatch(/port not allowed/);
});

/** A receiver without TLS, and what it was sent. */
async function plainReceiver() {
  const received: { headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, received };
}

test('over http alerts go to this machine, to private addresses where these are allowed, and never to a public one', async () => {
  const { port, received } = await plainReceiver();
  const send = (host: string, isAllowed: (ip: string) => boolean) => {
    const url = `http://${host}:${port}/`;
    const target = { isAllowed, dnsServers: [], limitMs: 500 };
    const posted = { url, secret: SECRET, format: 'json' } as const;
    return sendAlert({ ways: { post: posted, mail: null }, target }, { way: 'post', id: 'x', body: BODY });
  };
  expect(await send('127.0.0.1', isPublicAddress)).toBe(null);
  expect(received).toMatchObject([{ body: BODY, headers: { 'webhook-id': 'alert.x' } }]);
  expect(await send('10.255.255.1', isPublicAddress)).toMatch(/private target/);
  expect(await send('8.8.8.8', () => true)).toMatch(/private target/);
  const isAllowed = (ip: string) =>
    operatorsTarget('http://ntfy/', { isAllowed: () => true, dnsServers: [] }).isAllowed(ip);
  expect(['127.0.0.1', '::1', '10.0.0.5', 'fd00::1', '8.8.8.8'].filter(isAllowed)).toEqual([
    ...['127.0.0.1', '::1', '10.0.0.5', 'fd00::1'],
  ]);
  expect(received).toHaveLength(1);
});

test('a chat or a push service is sent what it reads, without a secret', async () => {
  const { port, received } = await plainReceiver();
  const about = { ...ALERT, subject: 'nöde <1>' };
  for (const format of ['slack', 'mattermost', 'ntfy'] as const) {
    const post = { url: `http://localhost:${port}/`, secret: null, format };
    const target = { isAllowed: isPublicAddress, dnsServers: [] };
    const message = { way: 'post', id: 'x', body: alertBody(about) } as const;
    expect(await sendAlert({ ways: { post, mail: null }, target }, message)).toBe(null);
  }
  const [slack, mattermost, ntfy] = received;
  const title = 'MXProof: Alert: Little room is left on a disk';
  const { text } = alertMail(about);
  expect(JSON.parse(slack!.body)).toEqual({ text: `*${title} (nöde &lt;1&gt;)*\n${text}` });
  expect(JSON.parse(mattermost!.body)).toEqual({ text: `**${title} (nöde <1>)**\n\n${text}` });
  expect(ntfy!.body).toBe(text);
  const heading = Buffer.from(`${title} (nöde <1>)`).toString('base64');
  expect(ntfy!.headers).toMatchObject({ title: `=?UTF-8?B?${heading}?=`, priority: '4', tags: 'warning' });
  for (const { headers } of received) expect(headers).not.toHaveProperty('webhook-signature');
});

const MAIL = { from: 'mxproof@a.example', to: ['ops@b.example'], id: 'alert.x', ...alertMail(ALERT) };

/** A relay that says these lines, one to each command; null: nothing more. */
async function relayThat(speak: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    speak(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function mailed(
  speak: (socket: Socket) => void,
  security: 'tls' | 'starttls' | 'none' = 'none',
): Promise<string | null> {
  const relay = {
    host: '127.0.0.1',
    port: await relayThat(speak),
    security,
    login: { user: 'me', password: PASSWORD },
  };
  const { error } = await sendMail(relay, MAIL, { dnsServers: [], limitMs: 500 });
  expect(error).toMatch(/^[A-Z][^\n]*\.$/);
  expect(error).not.toContain(PASSWORD);
  return error;
}

test('a relay that hangs, talks without end or drips is left in time', async () => {
  expect(await mailed(() => {})).toMatch(/no answer in time/);
  expect(
    await mailed((socket) => {
      const pour = () => {
        while (socket.writable && socket.write('220-'.padEnd(65_536, 'x')));
        socket.once('drain', pour);
      };
      pour();
    }),
  ).toMatch(/no connection with|refused by/);
  expect(
    await mailed((socket) => {
      const drip = setInterval(() => socket.write('2'), 20);
      socket.on('close', () => clearInterval(drip));
    }),
  ).toMatch(/no answer in time/);
});

test('nothing is said to a relay without TLS where TLS is asked for', async () => {
  const heard: string[] = [];
  const speak = (socket: Socket) => {
    socket.write('220 relay ESMTP\r\n');
    socket.on('data', (bytes) => {
      heard.push(bytes.toString());
      socket.write(/^(EHLO|HELO)/.test(bytes.toString()) ? '250-relay\r\n250 AUTH PLAIN\r\n' : '502 no\r\n');
    });
  };
  expect(await mailed(speak, 'starttls')).toMatch(/TLS|refused/);
  expect(heard.join('')).not.toMatch(/AUTH|MAIL/);
  const said = Buffer.from(`\0me\0${PASSWORD}`).toString('base64');
  expect(heard.join('')).not.toContain(said);
});

test('a relay that cannot be reached, or that repeats the password, is told of in a sentence without it', async () => {
  const closedPort = { host: '127.0.0.1', port: 1, security: 'none', login: null } as const;
  expect(await sendMail(closedPort, MAIL, { dnsServers: [] })).toEqual({
    error: 'There was no connection with the relay of MXPROOF_SMTP_RELAY (ECONNREFUSED).',
    refused: 0,
  });
  const said = await mailed((socket) => {
    socket.write('220 relay ESMTP\r\n');
    socket.on('data', (bytes) =>
      socket.write(
        bytes.toString().startsWith('EHLO')
          ? '250-relay\r\n250 AUTH PLAIN\r\n'
          : `535 5.7.8 me:${PASSWORD} is wrong\r\n`,
      ),
    );
  });
  expect(said).toBe('The user name and password were refused by the relay of MXPROOF_SMTP_RELAY (535).');
});

test.each([
  ['MAIL', 'The sender was refused'],
  ['RCPT', 'The recipient was refused'],
  ['DATA', 'The message was refused'],
  ['.', 'The message was refused'],
])('a relay that refuses %s is told of by what it refused', async (refused, said) => {
  const answer = (line: string) => {
    if (line.startsWith(refused)) return '550 no\r\n';
    return line === 'DATA' ? '354 go on\r\n' : line.startsWith('AUTH') ? '235 yes\r\n' : '250 yes\r\n';
  };
  const error = await mailed((socket) => {
    let rest = '';
    let isMessage = false;
    socket.write('220 relay ESMTP\r\n');
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString()).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (line.startsWith('EHLO')) socket.write('250-relay\r\n250 AUTH PLAIN\r\n');
        else if (!isMessage || line === '.') socket.write(answer(line));
        isMessage = line !== '.' && (isMessage || line === 'DATA');
      }
    });
  });
  expect(error).toBe(`${said} by the relay of MXPROOF_SMTP_RELAY (550).`);
});

const ways = (env: Record<string, string>, mailFrom = '') =>
  readConfig({ MXPROOF_MAIL_FROM: mailFrom, ...env }).alertWays;

test('the ways are read from the settings', () => {
  expect(ways({})).toEqual({ post: null, mail: null });
  const relay = (url: string) =>
    ways({ MXPROOF_SMTP_RELAY: url, MXPROOF_ALERT_MAIL: 'a@b.example' }, 'm@a.example').mail?.relay;
  expect(relay('smtps://me:p%40ss@mail.example.com')).toEqual({
    host: 'mail.example.com',
    port: 465,
    security: 'tls',
    login: { user: 'me', password: 'p@ss' },
  });
  expect(relay('smtp://mail.example.com')).toMatchObject({ port: 587, security: 'starttls', login: null });
  expect(relay('smtp://localhost')).toMatchObject({ port: 25, security: 'none' });
  expect(relay('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525, security: 'none' });
  expect(relay('smtp://127.0.0.1.example.com')).toMatchObject({ security: 'starttls' });
});

test('http is taken on this machine, and for names where private addresses are allowed; a chat needs no secret', () => {
  const allowed = { MXPROOF_ALLOW_PRIVATE_TARGETS: '1' };
  const at = (url: string, more = {}) =>
    ways({ MXPROOF_ALERT_URL: url, MXPROOF_ALERT_FORMAT: 'ntfy', ...more }).post;
  expect(at('http://127.0.0.1:8081/x')).toEqual({
    url: 'http://127.0.0.1:8081/x',
    secret: null,
    format: 'ntfy',
  });
  for (const host of ['localhost', '[::1]']) expect(at(`http://${host}/x`)).not.toBe(null);
  for (const host of ['ntfy', '10.0.0.5', '[fd00::1]'])
    expect(at(`http://${host}/x`, allowed)).not.toBe(null);
  expect(readConfig({ MXPROOF_HEARTBEAT_URL: 'http://localhost/ping' }).heartbeatUrl).toBe(
    'http://localhost/ping',
  );
});

const MAILED = { MXPROOF_ALERT_MAIL: 'a@b.example', MXPROOF_SMTP_RELAY: 'smtps://mail.example.com' };

test.each([
  [{ MXPROOF_ALERT_URL: 'https://a.example/' }, 'MXPROOF_ALERT_SECRET must be set when MXPROOF_ALERT_URL is'],
  [{ MXPROOF_ALERT_SECRET: SECRET }, 'MXPROOF_ALERT_URL must be set when MXPROOF_ALERT_SECRET is'],
  [
    { MXPROOF_ALERT_URL: 'http://a.example/', MXPROOF_ALERT_SECRET: SECRET },
    'must be https, or http on this',
  ],
  [{ MXPROOF_HEARTBEAT_URL: 'http://a.example/' }, 'MXPROOF_HEARTBEAT_URL must be https, or http on this'],
  [{ MXPROOF_HEARTBEAT_URL: 'http://8.8.8.8/', MXPROOF_ALLOW_PRIVATE_TARGETS: '1' }, 'must be https'],
  [{ MXPROOF_ALERT_URL: 'ftp://a.example/', MXPROOF_ALERT_SECRET: SECRET }, 'must be an https URL'],
  [
    { MXPROOF_ALERT_URL: 'https://a.example/', MXPROOF_ALERT_FORMAT: 'teams' },
    'MXPROOF_ALERT_FORMAT must be',
  ],
  [
    { MXPROOF_ALERT_URL: `https://me:${PASSWORD}@a.example/`, MXPROOF_ALERT_SECRET: SECRET },
    'without a user',
  ],
  [{ MXPROOF_ALERT_URL: 'https://a.example/', MXPROOF_ALERT_SECRET: PASSWORD }, 'must be "whsec_"'],
  [{ MXPROOF_ALERT_URL: 'https://a.example/', MXPROOF_ALERT_SECRET: 'whsec_c2hvcnQ=' }, 'at least 16 bytes'],
  [{ MXPROOF_ALERT_MAIL: 'a@b.example' }, 'MXPROOF_SMTP_RELAY must be set when MXPROOF_ALERT_MAIL is'],
  [MAILED, 'MXPROOF_ALERT_FROM must be set'],
  [{ ...MAILED, MXPROOF_ALERT_FROM: 'x\r\nBcc: y@b.example' }, 'MXPROOF_ALERT_FROM must be a mail address'],
  [{ ...MAILED, MXPROOF_ALERT_MAIL: 'nobody' }, 'MXPROOF_ALERT_MAIL must be'],
  [{ ...MAILED, MXPROOF_SMTP_RELAY: `smtps://me:${PASSWORD}@` }, 'must have the form'],
  [
    { ...MAILED, MXPROOF_SMTP_RELAY: `smtps://${PASSWORD}@mail.example.com` },
    'both a user name and a password',
  ],
  [{ ...MAILED, MXPROOF_SMTP_RELAY: `smtps://me:${PASSWORD}%zz@mail.example.com` }, 'percent-encoded'],
] as Record<
  string,
  unknown
>[][])('settings that contradict themselves are refused in one sentence (%#)', (env, why) => {
  try {
    ways(env as Record<string, string>);
    expect.unreachable();
  } catch (error) {
    expect((error as Error).name).toBe('OperatorError');
    expect((error as Error).message).toContain(why);
    expect((error as Error).message).not.toContain(PASSWORD);
  }
});
