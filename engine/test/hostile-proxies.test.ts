// Proxies that lie, dawdle and babble, on real sockets. Each of them is ours, and what it does says nothing about a mailbox.
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Checker, createChecker, type LogEvent, parsePolicy, type Resolver } from '../src/index.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const resolver: Resolver = {
  mx: async (name) => ({
    kind: 'records',
    records: [{ preference: 10, exchange: `mx.${name}` }],
    ttlSeconds: 60,
  }),
  a: async () => ({ kind: 'records', records: ['127.0.0.1'], ttlSeconds: 60 }),
  aaaa: async () => ({ kind: 'nodata' }),
};
const PASSWORD = 'correct horse';
const CONNECTED = Buffer.from('05000001000000000000', 'hex');

async function listen(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((closed) => server.close(closed));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** A checker with this proxy as its only source, a mail server that must not see anybody, and what is logged. */
async function behind(
  serve: (socket: Socket) => void,
  options: { readonly mailFrom?: string; readonly port?: number } = {},
) {
  let direct = 0;
  const smtpPort = await listen((socket) => {
    direct += 1;
    socket.write('220 mx.a.example ESMTP\r\n');
    smtp(socket);
  });
  const log: LogEvent[] = [];
  const proxyPort = options.port ?? (await listen(serve));
  const name = `proxy.example:${proxyPort}`;
  const policy = parsePolicy({ sources: { [name]: { mailFrom: options.mailFrom ?? '' } } });
  if (!policy.ok) throw new Error(policy.why);
  const checker: Checker = createChecker({
    resolver,
    dnsSentinels: [],
    smtpPort,
    allowPrivateTargets: true,
    sources: [
      {
        proxy: { name, ip: '127.0.0.1', port: proxyPort, login: { user: 'me', password: PASSWORD } },
        heloName: 'out.example.org',
      },
    ],
    policy: policy.policy,
    mailFrom: 'everyone@example.org',
    retrySeconds: [],
    timeouts: { connectMs: 300, bannerMs: 1_000, replyMs: 1_000 },
    log: (event) => log.push(event),
  });
  closers.push(() => checker.close(100));
  return { checker, name, log, seen: () => direct };
}

/** A mail server with one mailbox. */
function smtp(socket: Socket, said: string[] = []): void {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      said.push(line);
      if (line.startsWith('RCPT'))
        socket.write(line.includes('<anna@') ? '250 ok\r\n' : '550 5.1.1 User unknown\r\n');
      else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
    }
  });
}

/** Answers each of our messages in turn: the methods, the login, CONNECT. */
function answering(...answers: readonly ((socket: Socket) => void)[]) {
  return (socket: Socket) => {
    let at = 0;
    socket.on('data', () => answers[at++]?.(socket));
  };
}
const say = (hex: string) => (socket: Socket) => void socket.write(Buffer.from(hex, 'hex'));
const hangUp = (socket: Socket) => void socket.destroy();
const MEGABYTES = Buffer.alloc(4 * 1024 * 1024, 5);

test.each<[string, (socket: Socket) => void, string]>([
  ['never answers', () => {}, 'does not answer'],
  ['accepts the method and falls silent', answering(say('0502')), 'does not answer'],
  ['hangs up at once', hangUp, 'does not answer'],
  ['hangs up after the method', answering(say('0502'), hangUp), 'does not answer'],
  ['is a SOCKS4 proxy', answering(say('045b')), 'does not speak SOCKS5'],
  ['is a web server', answering((socket) => socket.write('HTTP/1.1 400\r\n\r\n')), 'does not speak SOCKS5'],
  ['chooses what was not offered', answering(say('0500')), 'does not speak SOCKS5'],
  ['sends megabytes instead', (socket) => void socket.write(MEGABYTES), 'does not speak SOCKS5'],
  ['wants another method', answering(say('05ff')), 'refuses the login'],
  ['refuses the login', answering(say('0502'), say('0101')), 'refuses the login'],
  [
    'forbids the host',
    answering(say('0502'), say('0100'), say('0502')),
    'refuses to connect to this mail host',
  ],
  [
    'hangs up on CONNECT',
    answering(say('0502'), say('0100'), hangUp),
    'refuses to connect to this mail host',
  ],
])('a proxy that %s is named as the reason, and nothing goes past it', async (_, serve, rule) => {
  const { checker, name, log, seen } = await behind(serve);
  const finding = await checker.check('anna@a.example');
  expect(finding).toMatchObject({ state: 'unknown', reason: 'no_connect', detail: 'proxy_refused' });
  expect(finding.evidence).toMatchObject({ rule: `proxy: it ${rule}`, source: name, host: 'mx.a.example' });
  expect(seen()).toBe(0);
  expect(JSON.stringify([finding, log])).not.toMatch(new RegExp(`${PASSWORD}|"me"`));
});

test('a proxy that is gone is named as the reason, and is an obstacle where there is no other source', async () => {
  const port = await listen(() => {});
  await closers.pop()?.();
  const { checker, log, seen, name } = await behind(() => {}, { port });
  expect(await checker.check('anna@a.example')).toMatchObject({
    reason: 'no_connect',
    detail: 'proxy_refused',
  });
  expect(seen()).toBe(0);
  expect(log.map(({ event }) => event)).toEqual(['proxy_down']);
  expect(log[0]?.text).toContain(`the proxy ${name} does not answer`);
  expect(checker.health().obstacles.map(({ code }) => code)).toEqual(['port_25']);
});

test.each([
  ['0503', 'proxy_no_route', 'proxy: it has no route to this mail host'],
  ['0508', 'proxy_no_route', 'proxy: it has no route to this mail host'],
  ['0504', 'timeout', 'connection: EHOSTUNREACH at connect'],
  ['0505', 'connection_refused', 'connection: ECONNREFUSED at connect'],
  ['0506', 'timeout', 'connection: ETIMEDOUT at connect'],
])('the reply %s is %s', async (reply, detail, rule) => {
  const { checker, seen } = await behind(answering(say('0502'), say('0100'), say(reply)));
  const finding = await checker.check('anna@a.example');
  expect(finding).toMatchObject({ state: 'unknown', reason: 'no_connect', detail, evidence: { rule } });
  expect(seen()).toBe(0);
});

/** Connects us to a mail server of its own. `speak`: how it writes what it has to say. */
function connecting(said: string[], speak: (socket: Socket, bytes: Buffer) => void) {
  return answering(
    (socket) => speak(socket, Buffer.from('0502', 'hex')),
    (socket) => speak(socket, Buffer.from('0100', 'hex')),
    (socket) => {
      socket.removeAllListeners('data');
      smtp(socket, said);
      speak(socket, Buffer.concat([CONNECTED, Buffer.from('220 mx.a.example ESMTP\r\n')]));
    },
  );
}

test.each<[string, (socket: Socket, bytes: Buffer) => void]>([
  ['in one packet with its reply', (socket, bytes) => void socket.write(bytes)],
  [
    'byte by byte',
    (socket, bytes) => {
      const next = (at: number) => {
        if (at < bytes.length) socket.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1));
      };
      next(0);
    },
  ],
])('a greeting that comes %s is heard, and the source has its own HELO name and sender', async (_, speak) => {
  const said: string[] = [];
  const { checker, seen, name } = await behind(connecting(said, speak), { mailFrom: 'out@example.org' });
  const finding = await checker.check('anna@a.example');
  expect(finding).toMatchObject({ state: 'deliverable', evidence: { source: name } });
  expect(said.slice(0, 2)).toEqual(['EHLO out.example.org', 'MAIL FROM:<out@example.org>']);
  expect(seen()).toBe(0);
});
