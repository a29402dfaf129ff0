// The `Idempotency-Key` header, and repeating the first response.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdempotentRoute, RememberedResponse } from '../../store/idempotency.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

export const idempotencyHeader = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  // HTTP itself drops spaces around a value.
  pattern: '^[!-~]([ -~]*[!-~])?$',
  description:
    'Repeating a request with the same key and body within 24 hours returns the first response and charges once.',
} as const;

/** Null: none was sent. */
export function readIdempotencyKey(request: FastifyRequest): string | null | { why: 'bad_idempotency_key' } {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  return typeof header === 'string' && PRINTABLE.test(header) ? header : { why: 'bad_idempotency_key' };
}

/** Of an answer that a repeat may get. */
export const REPLAYED = {
  'Idempotent-Replayed': {
    description: '`true` if this is the remembered answer to an earlier request with this `Idempotency-Key`.',
    const: 'true',
  },
};

/** The answer to an earlier request, and nothing was done now. */
export function sendRemembered(
  reply: FastifyReply,
  route: IdempotentRoute,
  listId: number,
  response: RememberedResponse,
): FastifyReply {
  reply.header('idempotent-replayed', 'true');
  return sendResponse(reply, route, listId, response);
}

/** A first response and a repeated one are sent in the same way, so that they differ by one header. */
export function sendResponse(
  reply: FastifyReply,
  route: IdempotentRoute,
  listId: number,
  response: RememberedResponse,
): FastifyReply {
  if (route === 'verify') reply.header('content-location', `/v1/lists/${listId}/results`);
  else reply.header('location', `/v1/lists/${listId}`);
  return reply.code(response.status).type('application/json; charset=utf-8').send(response.body);
}
