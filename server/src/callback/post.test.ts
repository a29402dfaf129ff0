import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { isPublicAddress } from '@mxproof/common/public-address';
import type { ReadingWatch } from '@mxproof/common/watchdog';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { expectLinear } from '../../../engine/test/doubling.ts';
import { startWorld } from '../../../world/src/index.ts';
import { TEST_ONLY_CERTIFICATE, TEST_ONLY_KEY } from '../../../world/src/test-only-certificate.ts';
import { type Receiver, startReceiver } from '../../test/receiver.ts';
import { type PostOptions, post } from './post.ts';

let receiver: Receiver | undefined;
afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
});

const message = { headers: { 'Content-Type': 'application/json' }, body: Buffer.from('{"a":1}') };
const EVERYWHERE: PostOptions = { isAllowed: () => true, dnsServers: [] };
const PUBLIC_ONLY: PostOptions = { isAllowed: isPublicAddress, dnsServers: [] };

async function answering(
  answer: (response: ServerResponse) => void,
): Promise<{ url: string; options: PostOptions }> {
  receiver = await startReceiver((response) => answer(response));
  return { url: receiver.url, options: { ...EVERYWHERE, ca: receiver.ca } };
}

test('the bytes arrive as they were given, over a checked certificate', async () => {
  const { url, options } = await answering((response) => response.writeHead(204).end());
  expect(await post(url, message, options)).toEqual({ status: 204, error: null });
  expect(receiver!.received[0]!.body.toString()).toBe('{"a":1}');
});

test('a certificate without a trusted issuer is a failure, and nothing is sent', async () => {
  const { url } = await answering((response) => response.end());
  const posted = await post(url, message, EVERYWHERE);
  expect(posted).toEqual({ status: null, error: expect.stringMatching(/SELF_SIGNED|UNABLE_TO/) });
  expect(receiver!.received).toEqual([]);
});

test('a certificate for another name is a failure', async () => {
  const { url, options } = await answering((response) => response.end());
  const posted = await post(url.replace('localhost', '127.0.0.1'), message, options);
  expect(posted).toEqual({ status: null, error: 'ERR_TLS_CERT_ALTNAME_INVALID' });
});

test('a redirect is an answer, not a way', async () => {
  const { url, options } = await answering((response) =>
    response.writeHead(302, { location: receiver!.url }).end(),
  );
  expect(await post(url, message, options)).toEqual({ status: 302, error: null });
  expect(receiver!.received).toHaveLength(1);
});

test('a receiver that does not answer in time is a time-out', async () => {
  const { url, options } = await answering(() => {});
  expect(await post(url, message, { ...options, limitMs: 200 })).toEqual({ status: null, error: 'time-out' });
});

test('an answer without end is cut off, and its status still counts', async () => {
  let sent = 0;
  const { url, options } = await answering((response) => {
    response.writeHead(200);
    const more = setInterval(() => {
      sent += 16_384;
      response.write(Buffer.alloc(16_384));
    }, 1);
    response.on('close', () => clearInterval(more));
  });
  expect(await post(url, message, options)).toEqual({ status: 200, error: null });
  expect(sent).toBeLessThan(10_000_000);
});

/** A receiver that speaks for itself, in bytes. */
async function speaking(speak: (socket: TLSSocket) => void): Promise<{ url: string; options: PostOptions }> {
  const server = createTlsServer({ cert: TEST_ONLY_CERTIFICATE, key: TEST_ONLY_KEY }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => speak(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}/`,
    options: { ...EVERYWHERE, ca: TEST_ONLY_CERTIFICATE, limitMs: 3_000 },
  };
}

function pourOut(socket: TLSSocket, piece: string): void {
  let open = true;
  socket.on('close', () => {
    open = false;
  });
  const more = () => {
    while (open && socket.write(piece));
    if (open) socket.once('drain', more);
  };
  more();
}

test.each([
  [
    'a switch of protocols',
    'HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    '',
    'protocol switched',
  ],
  ['interim answers without end', '', 'HTTP/1.1 103 Soon\r\n\r\n', 'answer too long'],
  ['headers without end', 'HTTP/1.1 200 OK\r\n', 'x: y\r\n', 'HPE_HEADER_OVERFLOW'],
  ['no HTTP', 'hello\r\n\r\n', '', 'HPE_INVALID_CONSTANT'],
])('%s: a failure, and over', async (_, first, piece, error) => {
  const { url, options } = await speaking((socket) => {
    socket.write(first);
    if (piece) pourOut(socket, piece.repeat(100));
  });
  expect(await post(url, message, options)).toEqual({ status: null, error });
});

test('chunks that are wrapping and nothing else count as well', async () => {
  let sent = 0;
  const { url, options } = await speaking((socket) => {
    socket.on('close', () => {
      sent = socket.bytesWritten;
    });
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    pourOut(socket, `1;${'x'.repeat(50)}\r\na\r\n`.repeat(100));
  });
  expect(await post(url, message, options)).toEqual({ status: 200, error: null });
  await expect.poll(() => sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(10_000_000);
});

test.each([
  ['header lines', 'a: b\r\n', [1_500, 3_000, 6_000, 12_000]],
  ['the same header', `x: ${'y, '.repeat(20)}\r\n`, [1_500, 3_000, 6_000, 12_000]],
  ['chunks of one byte', '1\r\na\r\n', [7_000, 14_000, 28_000, 56_000]],
  ['chunks with extensions', `1;${'x=y;'.repeat(50)}\r\na\r\n`, [7_000, 14_000, 28_000, 56_000]],
])('%s: a longer answer costs no more than it is long', async (what, unit, sizes) => {
  let size = 0;
  const isBody = unit.startsWith('1');
  const { url, options } = await speaking((socket) => {
    const many = unit.repeat(size / unit.length);
    socket.end(
      isBody
        ? `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${many}0\r\n\r\n`
        : `HTTP/1.1 200 OK\r\n${many}Content-Length: 0\r\n\r\n`,
    );
  });
  const words = await expectLinear({
    what,
    sizes,
    make: (bytes) => bytes,
    async look(bytes) {
      size = bytes;
      expect(await post(url, message, options)).toEqual({ status: 200, error: null });
    },
  });
  console.info(`a callback's answer, ${what}: ${words}`);
});

test("a name's final dot is for DNS alone", async () => {
  let asked: string | false | null = null;
  const { url, options } = await speaking((socket) => {
    asked = socket.servername as string | false;
    socket.end('HTTP/1.1 204 Fine\r\n\r\n');
  });
  // Never a question for this server, but no question for the system either.
  const dnsServers = [{ host: '127.0.0.1', port: 1 }];
  const posted = await post(url.replace('localhost', 'localhost.'), message, { ...options, dnsServers });
  expect(posted).toEqual({ status: 204, error: null });
  expect(asked).toBe('localhost');
});

test('port 0 is none', async () => {
  expect(await post('https://localhost:0/', message, EVERYWHERE)).toEqual({
    status: null,
    error: 'no such port',
  });
});

test('a status below 300 is delivered although the rest of the answer never comes', async () => {
  const { url, options } = await answering((response) => response.writeHead(200).flushHeaders());
  expect(await post(url, message, { ...options, limitMs: 3_000 })).toEqual({ status: 200, error: null });
});

test('a closed port is a connection error', async () => {
  const { url, options } = await answering((response) => response.end());
  await receiver!.close();
  expect(await post(url, message, options)).toEqual({ status: null, error: 'ECONNREFUSED' });
});

test.each([
  'https://127.0.0.1/',
  'https://localhost/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a00:1]/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest',
  'https://[fd00::1]/',
  'https://0/',
])('%s is a private target: nothing is sent there', async (url) => {
  expect(await post(url, message, PUBLIC_ONLY)).toEqual({ status: null, error: 'private target' });
});

test('one private address among public ones is enough to refuse the host', async () => {
  const asked: string[] = [];
  const options: PostOptions = {
    dnsServers: [],
    isAllowed(ip) {
      asked.push(ip);
      return ip !== '127.0.0.1';
    },
  };
  expect(await post('https://localhost/', message, options)).toMatchObject({ error: 'private target' });
  expect(asked).toContain('127.0.0.1');
});

test('a name is resolved by the servers that were configured', async () => {
  const world = await startWorld({ domains: { 'gone.example': { dns: 'nxdomain' } } });
  const [host = '', port] = world.dnsServer.split(':');
  const options = { ...EVERYWHERE, dnsServers: [{ host, port: Number(port) }] };
  expect(await post('https://gone.example/', message, options)).toEqual({
    status: null,
    error: 'host not found',
  });
  await world.close();
});

test('localhost is this machine whichever DNS servers are configured', async () => {
  const world = await startWorld({ domains: {} });
  const [host = '', port] = world.dnsServer.split(':');
  const dnsServers = [{ host, port: Number(port) }];
  const { url, options } = await answering((response) => response.writeHead(204).end());
  expect(await post(url, message, { ...options, dnsServers })).toEqual({ status: 204, error: null });
  expect(await post(url, message, { ...PUBLIC_ONLY, dnsServers })).toMatchObject({ error: 'private target' });
  await world.close();
});

/** Finds everything slow, and says whose it was. */
function slowToRead() {
  const read: string[] = [];
  let began = 0;
  const watchdog: ReadingWatch = {
    began: () => {
      began += 1;
      return began;
    },
    wasSlow: (reader, beganMs) => {
      const { kind, host, lots } = reader.whatIsRead();
      read.push(`${kind} ${host} ${lots} ${beganMs}`);
      return true;
    },
  };
  return { watchdog, read };
}

test('an answer that is slow to read ends the attempt, and is named', async () => {
  const { watchdog, read } = slowToRead();
  const { url, options } = await answering((response) => response.writeProcessing());
  expect(await post(url, message, { ...options, watchdog, listId: 17 })).toEqual({
    status: null,
    error: 'answer too slow to read',
  });
  expect(read).toEqual(['callback localhost 17 1']);
});

test('a status that was given before counts: asked again, the receiver would only be slow again', async () => {
  const { watchdog, read } = slowToRead();
  const { url, options } = await answering((response) => response.writeHead(200).write('x'.repeat(1_000)));
  expect(await post(url, message, { ...options, watchdog })).toEqual({ status: 200, error: null });
  expect(read).toEqual(['callback localhost  1']);
});

test('what is not https is never sent', async () => {
  expect(await post('http://localhost/', message, EVERYWHERE)).toEqual({ status: null, error: 'not https' });
});

test('where it may not connect now, nothing is sent and nothing has failed', async () => {
  const { url, options } = await answering((response) => response.end());
  const asked: unknown[] = [];
  const mayConnect = (...target: unknown[]) => {
    asked.push(target);
    return false;
  };
  expect(await post(url, message, { ...options, mayConnect })).toBeNull();
  expect(asked).toEqual([[expect.arrayContaining(['127.0.0.1']), new URL(url).port]]);
  expect(receiver!.received).toEqual([]);
});
