// Real sockets on loopback: TLS, injection, refusals, fragments, and the npm smtp-server.
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { TEST_ONLY_CERTIFICATE, TEST_ONLY_KEY } from '../../../../world/src/test-only-certificate.ts';
import { createChecker } from '../../checker.ts';
import type { CheckerOptions } from '../../checker-options.ts';
import type { Resolver } from '../../ports.ts';

const closers: (() => Promise<unknown> | undefined)[] = [];
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

function checker(smtpPort: number, options: CheckerOptions = {}) {
  const one = createChecker({
    resolver,
    // It has a mail host for every name, which no honest one has.
    dnsSentinels: [],
    smtpPort,
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    retrySeconds: [],
    ...options,
  });
  closers.push(() => one.close(100));
  return one;
}

async function listen(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
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

/** Lines in, replies out, on a plain or a secured socket. */
function talk(socket: Socket, reply: (line: string) => string | undefined): void {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      const said = reply(line);
      if (said !== undefined) socket.write(said);
    }
  });
}

const known = (line: string) => {
  if (line.startsWith('RCPT'))
    return line.includes('<anna@') ? '250 2.1.5 ok\r\n' : '550 5.1.1 User unknown\r\n';
  return line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n';
};

test('what is injected in clear behind the go-ahead for TLS is not heard', async () => {
  let secured = false;
  const port = await listen((socket) => {
    socket.write('220 mx\r\n');
    talk(socket, (line) => {
      if (line.startsWith('EHLO')) return '250-mx\r\n250-PIPELINING\r\n250 STARTTLS\r\n';
      if (line !== 'STARTTLS') return known(line);
      socket.removeAllListeners('data');
      // All a man in the middle would like us to believe, in the same packet as the go-ahead.
      socket.write(`220 go ahead\r\n${'250 2.1.5 injected\r\n'.repeat(8)}`, () => {
        const secure = new TLSSocket(socket, {
          isServer: true,
          secureContext: createSecureContext({ cert: TEST_ONLY_CERTIFICATE, key: TEST_ONLY_KEY }),
        });
        secure.on('error', () => {});
        secure.on('secure', () => {
          secured = true;
        });
        talk(secure, (inner) => (inner.startsWith('EHLO') ? '250-mx\r\n250 PIPELINING\r\n' : known(inner)));
      });
      return undefined;
    });
  });
  const nobody = await checker(port).check('nobody@a.example');
  // Either the injected bytes broke the handshake and it was asked in clear, or they were dropped: never believed.
  expect([nobody.state, nobody.reason]).toEqual(['undeliverable', 'rejected_email']);
  expect(JSON.stringify(nobody.evidence)).not.toContain('injected');
  expect(typeof secured).toBe('boolean');
});

test('a server that hangs up on EHLO is asked with HELO', async () => {
  const port = await listen((socket) => {
    socket.write('220 mx\r\n');
    talk(socket, (line) => {
      if (!line.startsWith('EHLO')) return known(line);
      socket.destroy();
      return undefined;
    });
  });
  expect((await checker(port).check('anna@a.example')).state).toBe('deliverable');
});

test('a server that stops reading when commands are pipelined is asked one by one', async () => {
  let flights = 0;
  const port = await listen((socket) => {
    socket.write('220 mx\r\n');
    socket.on('data', (chunk: Buffer) => {
      const lines = chunk.toString().split('\r\n').slice(0, -1);
      if (lines.length > 1) {
        flights += 1;
        socket.destroy();
      } else if (lines[0]?.startsWith('EHLO')) socket.write('250-mx\r\n250 PIPELINING\r\n');
      else socket.write(known(lines[0] ?? ''));
    });
  });
  const one = checker(port, { retrySeconds: [0, 0] });
  expect((await one.check('anna@a.example')).state).toBe('deliverable');
  expect(flights).toBe(1);
});

test('nothing is dialled that is private, unless it is allowed', async () => {
  let connections = 0;
  const port = await listen(() => {
    connections += 1;
  });
  const finding = await checker(port, { allowPrivateTargets: false }).check('anna@a.example');
  expect([finding.state, finding.reason]).toEqual(['undeliverable', 'invalid_domain']);
  expect(connections).toBe(0);
});

test('smtp-server from npm: plain, with TLS, and with TLS demanded', async () => {
  for (const options of [
    { disabledCommands: ['STARTTLS', 'AUTH'] },
    { authOptional: true, cert: TEST_ONLY_CERTIFICATE, key: TEST_ONLY_KEY },
    { authOptional: true, cert: TEST_ONLY_CERTIFICATE, key: TEST_ONLY_KEY, needsUpgrade: false },
  ]) {
    let data = 0;
    const server = new SMTPServer({
      ...options,
      logger: false,
      disableReverseLookup: true,
      onRcptTo(address, _session, callback) {
        if (address.address.startsWith('anna@')) return callback();
        return callback(Object.assign(new Error('5.1.1 No such user here'), { responseCode: 550 }));
      },
      onData(_stream, _session, callback) {
        data += 1;
        callback();
      },
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const address = server.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    for (const mailFrom of ['', 'probe@probe.example.org']) {
      const one = checker(port, { mailFrom });
      const found = new Map<string, string>();
      const emails = ['anna@a.example', ...Array.from({ length: 30 }, (_, i) => `nobody${i}@a.example`)];
      for await (const finding of one.checkAll(emails)) found.set(finding.email, finding.reason);
      expect(found.get('anna@a.example')).toBe('accepted_email');
      expect([...found.values()].filter((reason) => reason === 'rejected_email')).toHaveLength(30);
      await one.close(100);
    }
    expect(data).toBe(0);
    await new Promise<void>((closed) => server.close(() => closed()));
  }
});
