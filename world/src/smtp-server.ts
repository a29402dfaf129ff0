// The fleet of mail hosts on real sockets: each address of each host listens by itself on one common port, so that
// an address that is not in the spec refuses connections as a real one would. Promise: loopback only; closing it ends
// every connection.
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Clock } from '@mxproof/engine';
import type { PlacedHost } from './compile-world.ts';
import type { Host } from './host.ts';
import { HostSession } from './host-session.ts';
import { createRandom } from './random.ts';
import { TEST_ONLY_CERTIFICATE, TEST_ONLY_KEY } from './test-only-certificate.ts';

/** Below Linux's range for outgoing connections, so that no client's port is in the way. */
const PORT_LOW = 12_000;
const PORT_HIGH = 31_000;
const PORT_TRIES = 50;
const BACKLOG = 4096;
const LOOPBACK = /^(127\.|::1$)/;

export interface SmtpServer {
  readonly port: number;
  close(): Promise<void>;
}

export async function startSmtpServer(
  hosts: Iterable<PlacedHost>,
  options: { readonly clock: Clock; readonly port: number | null },
): Promise<SmtpServer> {
  const placed = [...hosts].filter(({ host }) => (host.spec.down ?? false) === false);
  const random = createRandom(process.pid ^ Date.now());
  for (let tries = 1; ; tries += 1) {
    const port = options.port ?? random.between(PORT_LOW, PORT_HIGH);
    try {
      return await listenAll(placed, port, options.clock);
    } catch (error) {
      if (tries >= PORT_TRIES || options.port !== null) throw error;
    }
  }
}

async function listenAll(hosts: readonly PlacedHost[], port: number, clock: Clock): Promise<SmtpServer> {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
  };
  const listening = hosts.flatMap(({ answeredBy, addresses }) =>
    addresses
      .filter((address) => LOOPBACK.test(address))
      .map((address) => {
        const server = createServer({ noDelay: true, pauseOnConnect: false }, (socket) => {
          sockets.add(socket);
          socket.on('close', () => sockets.delete(socket));
          serve(socket, answeredBy, clock);
        });
        servers.push(server);
        return new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen({ port, host: address, backlog: BACKLOG }, resolve);
        });
      }),
  );
  const results = await Promise.allSettled(listening);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await close();
    throw failed.reason;
  }
  return { port, close };
}

function serve(socket: Socket, host: Host, clock: Clock): void {
  const source = socket.remoteAddress ?? '';
  let wire: Socket = socket;
  const session = new HostSession(host, source, clock, {
    send: (data) => {
      if (wire.writable) wire.write(data);
    },
    startTls: () => {
      socket.removeAllListeners('data');
      const secure = new TLSSocket(socket, { isServer: true, secureContext: tlsContext() });
      wire = secure;
      secure.on('secure', () => session.secured());
      secure.on('data', (chunk: Buffer) => session.receive(chunk.toString('latin1')));
      secure.on('error', () => socket.destroy());
      secure.on('close', () => socket.destroy());
    },
    end: () => wire.end(),
    reset: () => socket.resetAndDestroy(),
  });
  socket.on('data', (chunk: Buffer) => session.receive(chunk.toString('latin1')));
  socket.on('error', () => socket.destroy());
  socket.on('close', () => session.closed());
  session.open();
}

let context: ReturnType<typeof createSecureContext> | undefined;

function tlsContext() {
  context ??= createSecureContext({ cert: TEST_ONLY_CERTIFICATE, key: TEST_ONLY_KEY });
  return context;
}
