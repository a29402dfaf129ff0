// Questions over one socket after the other, against servers on loopback.
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { a, answerTo, startRawUdp } from '../../test/hostile/raw-dns.ts';
import { A, encodeQuestion, type MessageReading, readAnswer } from './dns-message.ts';
import { parseServerAddress } from './server-address.ts';
import { UdpSocket } from './udp-socket.ts';
import { createWireResolver } from './wire-resolver.ts';

/** Longer than any test runs: what ends earlier did not end by this time-out. */
const NEVER_MS = 600_000;

const nameIn = (query: Buffer) => query.toString('latin1', 13, 13 + query[12]!);
const ip = (n: number) => `192.0.${n >> 8}.${n & 255}`;

test('what was not said to the question is waited past', async () => {
  const dns = await startRawUdp((query, reply) => {
    const other = (at: number, octet: number) => {
      const message = answerTo(query, [a('192.0.2.66')]);
      message[at] = octet;
      reply(message);
    };
    other(0, query[0]! ^ 1);
    other(1, query[1]! ^ 1);
    other(2, 0x01);
    other(13, 0x78);
    other(query.length - 11 - 3, 28);
    for (const text of ['', 'x', 'hello', 'no DNS message at all']) reply(Buffer.from(text));
    reply(answerTo(query, [a('192.0.2.66')]).subarray(0, 20));
    reply(answerTo(query, [a('192.0.2.1')]));
    // Too late: the time-out was reported.
    reply(answerTo(query, [a('192.0.2.66')]));
  });
  const resolver = createWireResolver({ servers: [dns.server], timeoutMs: NEVER_MS });
  expect(await resolver.a('host.example')).toMatchObject({ records: ['192.0.2.1'] });
  expect(await resolver.a('next.example')).toMatchObject({ records: ['192.0.2.1'] });
  await dns.close();
});

test('200 questions in flight have 200 ids, and each gets its own answer', async () => {
  const held: { query: Buffer; reply: (message: Buffer) => void }[] = [];
  const ids = new Set<number>();
  const ports = new Set<number>();
  const dns = await startRawUdp((query, reply, port) => {
    ids.add(query.readUInt16BE(0));
    ports.add(port);
    held.push({ query, reply });
    if (held.length < 200) return;
    for (const one of held.reverse())
      one.reply(answerTo(one.query, [a(ip(Number(nameIn(one.query).slice(1))))]));
  });
  const resolver = createWireResolver({ servers: [dns.server], timeoutMs: NEVER_MS });
  const all = await Promise.all(Array.from({ length: 200 }, (_, i) => resolver.a(`n${i}.example`)));
  expect(ids.size).toBe(200);
  expect(ports.size).toBe(1);
  for (const [i, said] of all.entries()) expect(said).toMatchObject({ records: [ip(i)] });
  await dns.close();
});

test('after a thousand questions a fresh port is used, and who still waits at the old one is answered', async () => {
  const ports = new Set<number>();
  let late: (() => void) | undefined;
  const dns = await startRawUdp((query, reply, port) => {
    ports.add(port);
    const go = () => reply(answerTo(query, [a('192.0.2.1')]));
    if (nameIn(query) === 'late') late = go;
    else go();
  });
  const resolver = createWireResolver({ servers: [dns.server], timeoutMs: NEVER_MS });
  const waiting = resolver.a('late.example');
  for (let i = 0; i < 999; i += 1) await resolver.a(`n${i}.example`);
  expect(ports.size).toBe(1);
  await resolver.a('more.example');
  expect(ports.size).toBe(2);
  late?.();
  expect(await waiting).toMatchObject({ records: ['192.0.2.1'] });
  await dns.close();
});

test('a silent server is asked twice with the same id, and an answer to the second is one', async () => {
  const seen: number[] = [];
  const dns = await startRawUdp((query, reply) => {
    seen.push(query.readUInt16BE(0));
    if (seen.length === 2) reply(answerTo(query, [a('192.0.2.1')]));
  });
  const resolver = createWireResolver({ servers: [dns.server], timeoutMs: 50 });
  expect(await resolver.a('a.example')).toMatchObject({ records: ['192.0.2.1'] });
  expect(await resolver.a('b.example')).toEqual({ kind: 'timeout' });
  expect(seen).toHaveLength(4);
  expect(new Set(seen).size).toBeLessThanOrEqual(2);
  await dns.close();
});

test('a server that is not there is reported at once, to every waiting query', async () => {
  const gone = createSocket('udp4');
  await new Promise<void>((bound) => gone.bind(0, '127.0.0.1', bound));
  const server = `127.0.0.1:${gone.address().port}`;
  await new Promise<void>((closed) => gone.close(() => closed()));
  const resolver = createWireResolver({ servers: [server], timeoutMs: NEVER_MS });
  const all = await Promise.all(Array.from({ length: 20 }, (_, i) => resolver.a(`n${i}.example`)));
  expect(new Set(all.map((said) => said.kind))).toEqual(new Set(['timeout']));
  expect(await resolver.a('again.example')).toEqual({ kind: 'timeout' });
});

test('a socket over IPv6', async () => {
  const udp = createSocket('udp6');
  await new Promise<void>((bound) => udp.bind(0, '::1', bound));
  udp.on('message', (query, from) => udp.send(answerTo(query, [a('192.0.2.1')]), from.port, from.address));
  const socket = new UdpSocket(parseServerAddress(`[::1]:${udp.address().port}`), NEVER_MS);
  const question = encodeQuestion('a.example', A.code, true);
  if (question === null) throw new Error('no question');
  const said = await new Promise<MessageReading<string> | null>((done) => {
    socket.ask(question, (answer) => done(answer && readAnswer(answer, question, A, 8)));
  });
  expect(said).toMatchObject({ records: ['192.0.2.1'] });
  udp.close();
});

test('a process lives while it waits for an answer, and ends by itself when no query waits', async () => {
  const dns = await startRawUdp((query, reply) => {
    // Nothing but the question keeps it alive meanwhile.
    setTimeout(() => reply(answerTo(query, [a('192.0.2.1')])), 100);
  });
  const module = fileURLToPath(new URL('./wire-resolver.ts', import.meta.url));
  const code = `import { createWireResolver } from ${JSON.stringify(module)};
    const resolver = createWireResolver({ servers: ['${dns.server}'], timeoutMs: ${NEVER_MS} });
    const ask = (name) => resolver.a(name).then((said) => console.log(said.records.join()));
    const holding = () => process.getActiveResourcesInfo().filter((name) => /UDP|Timeout/.test(name)).join();
    ask('a.example').then(() => ask('b.example')).then(() => setImmediate(() => console.log(holding())));
    setImmediate(() => console.log(holding()));`;
  const out = await new Promise<string>((done, fail) => {
    execFile(process.execPath, ['--input-type=module', '-e', code], { timeout: 20_000 }, (error, stdout) =>
      error ? fail(error) : done(stdout),
    );
  });
  expect(out).toBe('UDPWrap\n192.0.2.1\n192.0.2.1\n\n');
  await dns.close();
});
