// Responses to what never became a request: bytes that are not HTTP, endless headers, a client that does not finish.
// Promise: these get `{error}` in JSON too, after the responses that are still due on the same connection.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { type Refusal, refusalResponse } from './errors.ts';

const REFUSAL_OF: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { why: 'headers_too_large' },
  ERR_HTTP_REQUEST_TIMEOUT: { why: 'timed_out' },
};

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Node keeps the answer being written on its socket. */
type RespondingSocket = Socket & { _httpMessage?: ServerResponse | null };

export function onClientError(log: FastifyBaseLogger) {
  /** Node goes on reading: each further chunk is an error again, and would wait for the same response. */
  const refused = new WeakSet<Socket>();
  return (error: NodeJS.ErrnoException, socket: RespondingSocket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (refused.has(socket)) return;
    refused.add(socket);
    respondLast(log, socket, REFUSAL_OF[error.code ?? ''] ?? { why: 'invalid_request' });
  };
}

function respondLast(log: FastifyBaseLogger, socket: RespondingSocket, refusal: Refusal): void {
  const owed = socket._httpMessage;
  // The current request is complete, so the error is in what follows it: respond after the responses that are still due.
  if (owed?.req.complete) owed.once('finish', () => respondLast(log, socket, refusal));
  else if (owed?.headersSent) socket.destroy();
  else respondRaw(log, socket, refusal);
}

export function respondRaw(log: FastifyBaseLogger, socket: Socket, refusal: Refusal): void {
  if (!socket.writable) return;
  const { status, body, headers } = refusalResponse(refusal);
  const id = randomUUID();
  log.info({ id, route: null, status }, 'request refused');
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'X-Content-Type-Options: nosniff',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroySoon());
}
