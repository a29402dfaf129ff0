// How many connections there are, and how many requests one may have under way.
// Promise: no client has more than its share of the connections; when all are taken, a new one takes the place of the one
// that has been without a request for longest, of those that never made one first; and a client that sends requests faster
// than it reads the answers has a few of them in memory (ADR 0048).
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { clientNetwork } from '../rules/cidr.ts';

export interface ConnectionLimits {
  readonly connections: number;
  /** Of one client: an IPv4 address or an IPv6 /64. */
  readonly perClient: number;
  /** Requests of one connection that are not answered yet. Programs that pipeline at all send a few. */
  readonly unanswered: number;
}

const LIMITS: ConnectionLimits = { connections: 10_000, perClient: 1_000, unanswered: 8 };

interface Connection {
  readonly name: string;
  readonly socket: Socket;
  /** Null: a proxy, which many clients share. */
  readonly client: string | null;
  unanswered: number;
}

/** Node keeps a connection's parser on its socket. */
type ParsedSocket = Socket & { readonly parser?: { onIncoming: (() => number) | null } | null };
/** What a parser takes for: this is not HTTP any more, stop here. */
const READ_NO_FURTHER = 2;

export function limitConnections(
  app: FastifyInstance,
  isProxy: (address: string) => boolean,
  limits: Partial<ConnectionLimits> = {},
): void {
  const max = { ...LIMITS, ...limits };
  const connections = new Map<string, Connection>();
  const perClient = new Map<string, number>();
  /** Without a request so far, and since their last one; the oldest first. */
  const silent = new Set<Connection>();
  const idle = new Set<Connection>();

  function count(client: string, change: 1 | -1): void {
    const now = (perClient.get(client) ?? 0) + change;
    if (now > 0) perClient.set(client, now);
    else perClient.delete(client);
  }

  function forget(connection: Connection): void {
    if (!connections.delete(connection.name)) return;
    silent.delete(connection);
    idle.delete(connection);
    if (connection.client !== null) count(connection.client, -1);
  }

  /** False: every connection has a request under way. */
  function makeRoom(): boolean {
    if (connections.size < max.connections) return true;
    const [oldest = idle.values().next().value] = silent;
    if (!oldest) return false;
    forget(oldest);
    oldest.socket.destroy();
    return true;
  }

  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    const client = address === undefined || isProxy(address) ? null : clientNetwork(address);
    const isOver = client !== null && (perClient.get(client) ?? 0) >= max.perClient;
    // Without an address it has left already.
    if (address === undefined || isOver || !makeRoom()) return void socket.destroy();
    const connection: Connection = { name: nameOf(socket), socket, client, unanswered: 0 };
    connections.set(connection.name, connection);
    silent.add(connection);
    if (client !== null) count(client, 1);
    socket.once('close', () => forget(connection));
  });

  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const connection = connections.get(nameOf(socket));
    if (!connection) return;
    silent.delete(connection);
    idle.delete(connection);
    connection.unanswered += 1;
    if (connection.unanswered === max.unanswered) {
      reply.header('connection', 'close');
      // Node reads whatever requests a chunk of 64 KiB holds, a thousand and more. After a response that closes the
      // connection nothing further may be answered (RFC 9112, 9.6), so nothing is read.
      const { parser } = socket as ParsedSocket;
      if (parser) parser.onIncoming = () => READ_NO_FURTHER;
    }
    reply.raw.once('close', () => {
      connection.unanswered -= 1;
      if (connection.unanswered === 0 && connections.has(connection.name)) idle.add(connection);
    });
  });
}

/** The same for a connection and for what TLS makes of it. */
function nameOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
