// A name server that says whatever it is told, down to the byte: for answers no honest server gives. Loopback only.
import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';

export interface RawRecord {
  readonly type: 'a' | 'aaaa' | 'mx' | 'cname';
  readonly data: Buffer;
  readonly ttlSeconds?: number;
}

/** Records to choose from by type, or a whole message made from the question's. */
export type RawAnswer = readonly RawRecord[] | ((query: Buffer) => Buffer);

export interface RawDns {
  readonly server: string;
  /** Distinct names asked about. */
  readonly asked: Set<string>;
  close(): Promise<void>;
}

const TYPES = { a: 1, cname: 5, mx: 15, aaaa: 28 } as const;
const HEADER_BYTES = 12;
const UDP_MAX_BYTES = 1200;
const TCP_MAX_BYTES = 65_535;
const NOERROR = 0x8180;
const NXDOMAIN = 0x8183;
const TRUNCATED = 0x8380;

function wireName(labels: readonly (string | Buffer)[]): Buffer {
  const parts = labels.map((label) => {
    const bytes = typeof label === 'string' ? Buffer.from(label, 'latin1') : label;
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

export const mx = (preference: number, host: string | readonly (string | Buffer)[]): RawRecord => {
  const labels = typeof host === 'string' ? host.split('.').filter((label) => label !== '') : host;
  return {
    type: 'mx',
    data: Buffer.concat([Buffer.from([preference >> 8, preference & 255]), wireName(labels)]),
  };
};
export const a = (ip: string): RawRecord => ({ type: 'a', data: Buffer.from(ip.split('.').map(Number)) });
export const aaaa = (groups: readonly number[]): RawRecord => ({
  type: 'aaaa',
  data: Buffer.from(groups.flatMap((group) => [group >> 8, group & 255])),
});
export const cname = (to: string): RawRecord => ({ type: 'cname', data: wireName(to.split('.')) });

/** Cut off and empty, over UDP and over TCP. */
export const cutOff = (query: Buffer): Buffer =>
  Buffer.concat([header(query, TRUNCATED, 0), query.subarray(HEADER_BYTES, endOfQuestion(query))]);

function endOfQuestion(query: Buffer): number {
  let end = HEADER_BYTES;
  for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) end += length + 1;
  return end + 5;
}

/** The question's header with other flags and another count of answers. */
export function header(query: Buffer, flags: number, answers: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  query.copy(bytes, 0, 0, 2);
  bytes.writeUInt16BE(flags, 2);
  bytes.writeUInt16BE(1, 4);
  bytes.writeUInt16BE(answers, 6);
  return bytes;
}

export async function startRawDns(zone: Readonly<Record<string, RawAnswer>>): Promise<RawDns> {
  const asked = new Set<string>();
  const answer = (query: Buffer, maxBytes: number): Buffer => {
    let end = HEADER_BYTES;
    const labels: string[] = [];
    for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
      labels.push(query.subarray(end + 1, end + 1 + length).toString('latin1'));
      end += length + 1;
    }
    const name = labels.join('.').toLowerCase();
    const type = query.readUInt16BE(end + 1);
    const question = query.subarray(HEADER_BYTES, end + 5);
    asked.add(name);
    const known = zone[name];
    if (known === undefined) return Buffer.concat([header(query, NXDOMAIN, 0), question]);
    if (typeof known === 'function') return known(query);
    const rows = known.filter((row) => TYPES[row.type] === type || row.type === 'cname').map(record);
    const full = Buffer.concat([header(query, NOERROR, rows.length), question, ...rows]);
    return full.length <= maxBytes ? full : Buffer.concat([header(query, TRUNCATED, 0), question]);
  };
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    let input = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      input = Buffer.concat([input, chunk]);
      while (input.length >= 2 && input.length >= 2 + input.readUInt16BE(0)) {
        const length = input.readUInt16BE(0);
        const said = answer(input.subarray(2, 2 + length), TCP_MAX_BYTES);
        input = input.subarray(2 + length);
        socket.write(Buffer.concat([Buffer.from([said.length >> 8, said.length & 255]), said]));
      }
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const bound = tcp.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const udp = createSocket('udp4');
  udp.on('message', (query, from) => udp.send(answer(query, UDP_MAX_BYTES), from.port, from.address));
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject);
    udp.bind(port, '127.0.0.1', resolve);
  });
  return {
    server: `127.0.0.1:${port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      await new Promise<void>((resolve) => tcp.close(() => resolve()));
    },
  };
}

export interface RawUdp {
  readonly server: string;
  close(): Promise<void>;
}

/** For each datagram, whatever `heard` replies, when and as often as it likes. No TCP. */
export async function startRawUdp(
  heard: (query: Buffer, reply: (message: Buffer) => void, fromPort: number) => void,
): Promise<RawUdp> {
  const udp = createSocket('udp4');
  udp.on('message', (query, from) =>
    heard(query, (message) => udp.send(message, from.port, from.address), from.port),
  );
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  return {
    server: `127.0.0.1:${udp.address().port}`,
    close: () => new Promise<void>((resolve) => udp.close(() => resolve())),
  };
}

/** An honest answer with these records. */
export function answerTo(query: Buffer, records: readonly RawRecord[], flags = NOERROR): Buffer {
  const question = query.subarray(HEADER_BYTES, endOfQuestion(query));
  return Buffer.concat([header(query, flags, records.length), question, ...records.map(record)]);
}

function record({ type, data, ttlSeconds = 60 }: RawRecord): Buffer {
  const head = Buffer.alloc(12);
  // Its name: the question's, by pointer.
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(TYPES[type], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttlSeconds, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
