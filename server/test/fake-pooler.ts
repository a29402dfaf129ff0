// A pooler in front of PostgreSQL, as far as a client can tell: it answers a handshake, BEGIN, ROLLBACK and the number of the
// backend that a statement ran in, and nothing else. Promise: which backend that is follows from the mode alone.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface PoolerRules {
  readonly mode: 'session' | 'transaction';
  /** `last`: the backend that was given back last is the next one, as in PgBouncer; `turns`: each in its turn. */
  readonly order: 'last' | 'turns';
  readonly backends: number;
}

const FIRST_BACKEND = 101;
/** What clients are told for cancelling: of no backend. */
const FIRST_TOLD = 9_001;

export async function startFakePooler({ mode, order, backends }: PoolerRules) {
  const free = Array.from({ length: backends }, (_, index) => FIRST_BACKEND + index);
  const queue: (() => void)[] = [];
  const sockets = new Set<Socket>();
  let told = FIRST_TOLD;

  const take = async (): Promise<number> => {
    while (free.length === 0) await new Promise<void>((resolve) => queue.push(resolve));
    return order === 'last' ? free.pop()! : free.shift()!;
  };
  const giveBack = (backend: number) => {
    free.push(backend);
    queue.shift()?.();
  };

  async function serve(socket: Socket): Promise<void> {
    let held: number | null = null;
    let isOpen = false;
    let isInTransaction = false;
    let bytes = Buffer.alloc(0);
    socket.on('close', () => held !== null && giveBack(held));
    for await (const chunk of socket) {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      for (;;) {
        const head = isOpen ? 1 : 0;
        if (bytes.length < head + 4) break;
        const length = head + bytes.readUInt32BE(head);
        if (bytes.length < length) break;
        const message = bytes.subarray(0, length);
        bytes = bytes.subarray(length);
        if (!isOpen) {
          isOpen = true;
          socket.write(
            Buffer.concat([packet('R', int32(0)), packet('K', int32(told++), int32(0)), ready('I')]),
          );
          continue;
        }
        if (String.fromCharCode(message[0]!) === 'X') return void socket.end();
        const sql = message.subarray(5, -1).toString();
        held ??= await take();
        if (sql === 'BEGIN') isInTransaction = true;
        if (sql === 'ROLLBACK') isInTransaction = false;
        const rows = sql.includes('pg_backend_pid') ? [columns(), row(String(held))] : [];
        socket.write(
          Buffer.concat([...rows, packet('C', text(sql.split(' ')[0]!)), ready(isInTransaction ? 'T' : 'I')]),
        );
        if (mode === 'transaction' && !isInTransaction) {
          giveBack(held);
          held = null;
        }
      }
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket).catch(() => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://anyone@127.0.0.1:${port}/any`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const INT4_OID = 23;

function packet(kind: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body]);
}

const ready = (status: string) => packet('Z', Buffer.from(status));
const text = (value: string) => Buffer.from(`${value}\0`);
const columns = () =>
  packet('T', int16(1), text('pid'), int32(0), int16(0), int32(INT4_OID), int16(4), int32(-1), int16(0));
const row = (value: string) => packet('D', int16(1), int32(value.length), Buffer.from(value));

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}
