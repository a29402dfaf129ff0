// The world's name server: UDP and TCP on one loopback address and port. Promise: latency and loss come from the seed;
// closing it leaves no socket and no timer.
import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import { readQuestion, writeAnswer } from './dns-wire.ts';
import { createRandom, hash32 } from './random.ts';
import type { Zone } from './zone.ts';

const UDP_MAX_BYTES = 512;
const TCP_MAX_BYTES = 65_535;
const PORT_TRIES = 20;

export interface DnsServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface DnsServerOptions {
  readonly seed: number;
  readonly latencyMs: number;
  readonly lossShare: number;
  readonly address: string;
  readonly port: number;
}

export async function startDnsServer(zone: Zone, options: DnsServerOptions): Promise<DnsServer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listen(zone, options);
    } catch (error) {
      // The port was free for UDP and taken for TCP.
      if (tries >= PORT_TRIES || options.port !== 0) throw error;
    }
  }
}

async function listen(zone: Zone, options: DnsServerOptions): Promise<DnsServer> {
  const { address, latencyMs, lossShare } = options;
  const random = createRandom(hash32('dns', options.seed));
  const timers = new Set<NodeJS.Timeout>();
  const later = (action: () => void) => {
    if (latencyMs === 0) return action();
    const timer = setTimeout(() => {
      timers.delete(timer);
      action();
    }, latencyMs);
    timers.add(timer);
  };

  const udp = createSocket({
    type: 'udp4',
    recvBufferSize: 4 * 1024 * 1024,
    sendBufferSize: 4 * 1024 * 1024,
  });
  udp.on('message', (message, from) => {
    const question = readQuestion(message);
    if (question === null || (lossShare > 0 && random.chance(lossShare))) return;
    const answer = writeAnswer(question, zone.answer(question.name, question.type, false), UDP_MAX_BYTES);
    if (answer !== null) later(() => udp.send(answer, from.port, from.address));
  });
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject);
    udp.bind(options.port, address, resolve);
  });
  const { port } = udp.address();

  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let input = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      input = Buffer.concat([input, chunk]);
      while (input.length >= 2 && input.length >= 2 + input.readUInt16BE(0)) {
        const length = input.readUInt16BE(0);
        const question = readQuestion(input.subarray(2, 2 + length));
        input = input.subarray(2 + length);
        if (question === null) return void socket.destroy();
        const answer = writeAnswer(question, zone.answer(question.name, question.type, true), TCP_MAX_BYTES);
        if (answer === null) continue;
        const head = Buffer.alloc(2);
        head.writeUInt16BE(answer.length, 0);
        later(() => socket.writable && socket.write(Buffer.concat([head, answer])));
      }
      if (input.length > TCP_MAX_BYTES) socket.destroy();
    });
  });
  const closeUdp = () => new Promise<void>((resolve) => udp.close(() => resolve()));
  try {
    await new Promise<void>((resolve, reject) => {
      tcp.once('error', reject);
      tcp.listen(port, address, resolve);
    });
  } catch (error) {
    await closeUdp();
    throw error;
  }
  return {
    port,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await Promise.all([closeUdp(), new Promise<void>((resolve) => tcp.close(() => resolve()))]);
    },
  };
}
