// A callback receiver on loopback, with the simulated world's certificate.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TEST_ONLY_CERTIFICATE, TEST_ONLY_KEY } from '../../world/src/test-only-certificate.ts';

export interface ReceivedCallback {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Receiver {
  readonly url: string;
  readonly ca: string;
  readonly received: ReceivedCallback[];
  close(): Promise<void>;
}

export async function startReceiver(
  answer: (response: ServerResponse, callback: ReceivedCallback, place: number) => void,
): Promise<Receiver> {
  const received: ReceivedCallback[] = [];
  const server = createServer({ cert: TEST_ONLY_CERTIFICATE, key: TEST_ONLY_KEY }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const callback = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces) };
      answer(response, callback, received.push(callback) - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}/hook`,
    ca: TEST_ONLY_CERTIFICATE,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
