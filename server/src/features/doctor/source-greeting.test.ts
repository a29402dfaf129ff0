// The dialogue over real sockets, with servers that want no good: it ends, in time, with a bounded text.
import { createServer, type Server, type Socket } from 'node:net';
import { netConnect } from '@mxproof/engine';
import { afterEach, expect, test } from 'vitest';
import { startWorld } from '../../../../world/src/index.ts';
import { readConfig } from '../../settings/config.ts';
import { createDoctorNetwork } from './doctor-network.ts';
import { shownText } from './shown-text.ts';
import { SOURCE_CHECKS } from './source-checks.ts';
import { greet } from './source-greeting.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** What a hostile server has heard is in `heard`. */
async function hostile(speak: (socket: Socket) => void): Promise<{ port: number; heard: () => string }> {
  const sockets = new Set<Socket>();
  let heard = '';
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
    });
    speak(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as { port: number }).port, heard: () => heard };
}

async function talk(port: number, timeoutMs = 60_000, signal = new AbortController().signal) {
  const target = { ip: '127.0.0.1', port, source: null, hostName: 'mx.example' };
  return greet({ connect: netConnect, target, helo: 'mx1.shop.example', timeoutMs, signal });
}

const MEGABYTE = 1024 * 1024;

test('banner, EHLO, QUIT, and nothing else', async () => {
  const { port, heard } = await hostile((socket) => {
    socket.write('220 mx.exa');
    socket.write('mple ready\r\n');
    socket.on('data', (line) =>
      socket.write(
        line.includes('EHLO') ? '250-mx.example Hello [192.0.2.1]\r\n250 SIZE\r\n' : '221 Bye\r\n',
      ),
    );
  });
  expect(await talk(port)).toMatchObject({
    kind: 'answered',
    banner: { code: 220 },
    hello: { code: 250, lines: ['mx.example Hello [192.0.2.1]', 'SIZE'] },
  });
  expect(heard()).toBe('EHLO mx1.shop.example\r\nQUIT\r\n');
});

test('a server that turns us away is told QUIT', async () => {
  const { port, heard } = await hostile((socket) => {
    socket.write('554 no\r\n');
    socket.on('data', () => socket.end());
  });
  expect(await talk(port)).toMatchObject({ kind: 'turned_away', banner: { code: 554 } });
  expect(heard()).toBe('QUIT\r\n');
});

test.each<[string, string]>([
  ['a megabyte in one line', `220 ${'a'.repeat(MEGABYTE)}\r\n`],
  ['a megabyte without a line end', '220 '.repeat(MEGABYTE / 4)],
  ['a banner of a hundred thousand lines', '220-go on\r\n'.repeat(100_000)],
  ['bytes that are no SMTP', '\x16\x03\x01\0\0HTTP/1.1 400 Bad Request\r\n'],
  ['yes and no in one breath', '220-welcome\r\n554 no\r\n'],
])('%s ends the reading', async (_what, bytes) => {
  const { port } = await hostile((socket) => socket.write(Buffer.from(bytes, 'latin1')));
  expect((await talk(port)).kind).toBe('no_smtp');
});

test.each<[string, (socket: Socket) => void]>([
  ['says nothing', () => {}],
  ['hangs up', (socket) => socket.end()],
  [
    'says a banner without end, a byte at a time',
    (socket) => {
      const timer = setInterval(() => socket.write('2'), 5);
      socket.on('close', () => clearInterval(timer));
    },
  ],
])('a server that %s has no banner', async (_what, speak) => {
  const { port } = await hostile(speak);
  expect(await talk(port, 100)).toEqual({ kind: 'silent' });
});

test('silence after EHLO is an answer without a hello; an aborted signal ends any wait', async () => {
  const mute = await hostile((socket) => socket.write('220 mx.example\r\n'));
  expect(await talk(mute.port, 100)).toMatchObject({ kind: 'answered', hello: null });
  const silent = await hostile(() => {});
  expect(await talk(silent.port, 60_000, AbortSignal.timeout(50))).toEqual({ kind: 'silent' });
  expect(await talk(silent.port, 60_000, AbortSignal.abort())).toMatchObject({ kind: 'unreached' });
});

test('a reply is shown in one line, without controls and directions, and cut', () => {
  expect(shownText('a\r\n\tb\x1b[2J\u202ec\u2028d\0')).toBe('a b [2J c d');
  expect(shownText('\ud800x'.repeat(MEGABYTE))).toHaveLength(200);
});

test('the checks over real sockets and a real DNS server, on the service’s own configuration', async () => {
  const host = (name: string) => ({ banner: `220 ${name} ready`, hello: `${name} Hello [{source}]` });
  const world = await startWorld({
    domains: {
      'gmail.com': { mx: ['mx.google.com'] },
      'outlook.com': { mx: ['mx.outlook.com'] },
      'gmx.de': { mx: ['mx.gmx.net'] },
    },
    hosts: {
      'mx.google.com': host('mx.google.com'),
      'mx.outlook.com': host('mx.outlook.com'),
      'mx.gmx.net': host('gmx.net'),
    },
    names: { 'mx1.shop.example': { a: ['127.0.0.9'], txt: [['v=spf1 ip4:127.0.', '0.9 -all']] } },
    ptr: { '127.0.0.9': ['mx1.shop.example'] },
    blockLists: { 'bl.example': { listed: { '127.0.0.9': { txt: 'for the test' } } } },
  });
  closers.push(() => world.close());
  const config = readConfig({
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_SOURCE_ADDRESSES: '127.0.0.9=mx1.shop.example',
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    MXPROOF_BLOCKLISTS: 'BL.example.',
  });
  const network = await createDoctorNetwork(config);
  const context = { config, env: {}, db: null, databaseError: null, ...network };
  const signal = new AbortController().signal;
  const found = await Promise.all(SOURCE_CHECKS.map((check) => check.run(context, signal)));
  network.close();
  expect(found.flat().map(({ status, detail }) => `${status}: ${detail}`)).toEqual([
    `ok: Google, Microsoft, and GMX answer 127.0.0.9 on port ${world.smtpPort}.`,
    'ok: The world sees 127.0.0.9 as 127.0.0.9.',
    'ok: 127.0.0.9 is named mx1.shop.example, the HELO name, which leads back to it.',
    "ok: The HELO name mx1.shop.example is a name of one's own.",
    'ok: SPF of the HELO name mx1.shop.example covers 127.0.0.9 ("ip4:127.0.0.9" of mx1.shop.example).',
    'failure: 127.0.0.9 is listed in bl.example (127.0.0.2): "for the test".',
  ]);
});

test('with DNS and mail servers that never answer, every check ends with its signal', async () => {
  const config = readConfig({ MXPROOF_HELO_NAME: 'mx1.shop.example', MXPROOF_BLOCKLISTS: 'bl.example' });
  const never = () => new Promise<never>(() => {});
  const resolver = { mx: never, a: never, aaaa: never, ptr: never, txt: never };
  const connect = () => ({ write() {}, startTls() {}, destroy() {} });
  const context = { config, env: {}, db: null, databaseError: null, resolver, connect };
  for (const check of SOURCE_CHECKS) {
    const results = [await check.run(context, AbortSignal.timeout(20))].flat();
    expect(results.map(({ status }) => status)).toEqual([check.id === 'source.helo' ? 'ok' : 'warning']);
  }
});
