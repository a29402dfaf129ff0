// Something on a real socket that answers as a test tells it to: a service having a bad day, or not a service at all.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface FakeService {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Connections open now. */
  readonly open: number;
  close(): Promise<void>;
}

type RequestHandler = (response: ServerResponse, request: SeenRequest, place: number) => void;

export async function startFake(handle: RequestHandler): Promise<FakeService> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, headers, body: Buffer.concat(pieces).toString() };
      handle(response, one, seen.push(one) - 1);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    get open() {
      return sockets.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'r-1',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

/** What a service answers. */
export const ACCOUNT = { name: 'a', credits: 1_000_000, credits_used: 0, lists: 0 };
export const LIST = {
  id: 1,
  name: '',
  status: 'processing',
  total: 1,
  duplicates_removed: 0,
  checked: 0,
  counts: { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 },
  created_at: 1,
  finished_at: null,
};
export const ROW = {
  email: 'a@x.test',
  state: 'deliverable',
  reason: 'accepted_email',
  score: 90,
  accept_all: false,
  role: false,
  free: false,
  disposable: false,
  mx: 'mx.x.test',
  provider: 'other',
};
