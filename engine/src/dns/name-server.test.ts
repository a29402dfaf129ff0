// What one name server is asked, and how: EDNS or not, UDP or TCP.
import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { a, answerTo, cutOff, header, startRawUdp } from '../../test/hostile/raw-dns.ts';
import { createWireResolver } from './wire-resolver.ts';

/** Longer than any test runs: what ends earlier did not end by this time-out. */
const NEVER_MS = 600_000;
const TRUNCATED = 0x8380;

const hasEdns = (query: Buffer) => query.readUInt16BE(10) === 1;

/** Cut off over UDP, whatever `speak` does over TCP. */
async function startTcp(speak: (socket: Socket, query: Buffer) => void) {
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', (chunk) => speak(socket, chunk.subarray(2)));
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const port = (tcp.address() as { port: number }).port;
  const udp = createSocket('udp4');
  // With a record that must not be used.
  udp.on('message', (query, from) => {
    udp.send(answerTo(query, [a('192.0.2.66')], TRUNCATED), from.port, from.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  return {
    server: `127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      udp.close();
      await new Promise<void>((resolve) => tcp.close(() => resolve()));
    },
  };
}

function toAnother(query: Buffer): Buffer {
  const message = answerTo(query, []);
  message[0]! ^= 1;
  return message;
}

const framed = (message: Buffer) =>
  Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message]);

test.each([
  ['with the question sent back', (query: Buffer) => answerTo(query, [], 0x8181)],
  ['with nothing but a header', (query: Buffer) => header(query, 0x8181, 0).fill(0, 4)],
  ['as not implemented', (query: Buffer) => answerTo(query, [], 0x8184)],
])('a server that refuses EDNS %s is asked without, and from then on', async (_how, refusal) => {
  const asked: boolean[] = [];
  const dns = await startRawUdp((query, reply) => {
    asked.push(hasEdns(query));
    reply(hasEdns(query) ? refusal(query) : answerTo(query, [a('192.0.2.1')]));
  });
  const resolver = createWireResolver({ servers: [dns.server], timeoutMs: NEVER_MS });
  expect(await resolver.a('a.example')).toMatchObject({ records: ['192.0.2.1'] });
  expect(await resolver.a('b.example')).toMatchObject({ records: ['192.0.2.1'] });
  expect(asked).toEqual([true, false, false]);
  await dns.close();
});

test('a server that understands nothing has failed', async () => {
  const dns = await startRawUdp((query, reply) => reply(answerTo(query, [], 0x8181)));
  const resolver = createWireResolver({ servers: [dns.server], timeoutMs: NEVER_MS });
  expect(await resolver.a('a.example')).toEqual({ kind: 'servfail' });
  await dns.close();
});

test('an answer over TCP is read in pieces of one octet', async () => {
  const dns = await startTcp(async (socket, query) => {
    socket.setNoDelay(true);
    for (const octet of framed(answerTo(query, [a('192.0.2.1'), a('192.0.2.2')]))) {
      socket.write(Buffer.from([octet]));
      await new Promise<void>((go) => setImmediate(go));
    }
  });
  const resolver = createWireResolver({ servers: [dns.server], timeoutMs: NEVER_MS });
  expect(await resolver.a('a.example')).toMatchObject({ records: ['192.0.2.1', '192.0.2.2'] });
  await dns.close();
});

test('65,535 octets over TCP are an answer, and what follows them is not', async () => {
  const rows = Array.from({ length: 4_092 }, (_, i) => a(`10.0.${i >> 8}.${i & 255}`));
  const dns = await startTcp((socket, query) => {
    const whole = Buffer.concat([answerTo(query, rows), Buffer.alloc(65_535)]).subarray(0, 65_535);
    socket.write(Buffer.concat([framed(whole), Buffer.alloc(100_000, 9)]));
  });
  const resolver = createWireResolver({ servers: [dns.server], timeoutMs: NEVER_MS });
  const said = await resolver.a('a.example');
  expect(said.kind === 'records' && said.records.length).toBe(4_092);
  await dns.close();
});

test.each<[string, 'servfail' | 'timeout', (socket: Socket, query: Buffer) => void]>([
  ['cut off again', 'servfail', (socket, query) => socket.write(framed(cutOff(query)))],
  ['of no length', 'servfail', (socket) => socket.write(Buffer.alloc(2))],
  ['to another question', 'servfail', (socket, query) => socket.write(framed(toAnother(query)))],
  ['that ends early', 'timeout', (socket, query) => socket.end(framed(answerTo(query, [])).subarray(0, 20))],
  ['that never comes', 'timeout', () => {}],
])('an answer over TCP %s is a failure: %s', async (_what, kind, speak) => {
  const dns = await startTcp(speak);
  const resolver = createWireResolver({ servers: [dns.server], timeoutMs: 500 });
  expect(await resolver.a('a.example')).toEqual({ kind });
  await dns.close();
});

test('a server that cuts answers off and does not speak TCP has failed, and the next is asked', async () => {
  const cut = await startRawUdp((query, reply) => reply(cutOff(query)));
  const whole = await startRawUdp((query, reply) => reply(answerTo(query, [a('192.0.2.1')])));
  const one = createWireResolver({ servers: [cut.server], timeoutMs: NEVER_MS });
  expect(await one.a('a.example')).toEqual({ kind: 'timeout' });
  const both = createWireResolver({ servers: [cut.server, whole.server], timeoutMs: NEVER_MS });
  expect(await both.a('a.example')).toMatchObject({ records: ['192.0.2.1'] });
  await cut.close();
  await whole.close();
});

test('closing ends every question at an unresponsive server, over worn sockets, UDP and TCP, and asks no more', async () => {
  let asked = 0;
  const unresponsive = await startRawUdp(() => {
    asked += 1;
  });
  const overUdp = createWireResolver({ servers: [unresponsive.server], timeoutMs: NEVER_MS });
  // More than one line takes.
  const many = Array.from({ length: 1_500 }, (_, i) => overUdp.a(`n${i}.example`));
  await expect.poll(() => asked).toBeGreaterThan(0);
  overUdp.close();
  expect(new Set((await Promise.all(many)).map(({ kind }) => kind))).toEqual(new Set(['timeout']));
  expect(await overUdp.a('late.example')).toEqual({ kind: 'timeout' });

  let heard = 0;
  const cut = await startTcp(() => {
    heard += 1;
  });
  const overTcp = createWireResolver({ servers: [cut.server], timeoutMs: NEVER_MS });
  const more = Array.from({ length: 60 }, (_, i) => overTcp.a(`n${i}.example`));
  await expect.poll(() => heard).toBe(50);
  overTcp.close();
  expect(new Set((await Promise.all(more)).map(({ kind }) => kind))).toEqual(new Set(['timeout']));
  expect(heard).toBe(50);
  await unresponsive.close();
  await cut.close();
});

test('200 questions over TCP are all answered, 50 at a time', async () => {
  let open = 0;
  let mostOpen = 0;
  const dns = await startTcp((socket, query) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    setTimeout(() => {
      open -= 1;
      socket.write(framed(answerTo(query, [a('192.0.2.1')])));
    }, 20);
  });
  const resolver = createWireResolver({ servers: [dns.server], timeoutMs: NEVER_MS });
  const all = await Promise.all(Array.from({ length: 200 }, (_, i) => resolver.a(`n${i}.example`)));
  expect(all.every((said) => said.kind === 'records')).toBe(true);
  expect(mostOpen).toBeGreaterThan(1);
  expect(mostOpen).toBeLessThanOrEqual(50);
  await dns.close();
});
