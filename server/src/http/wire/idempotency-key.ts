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

/** A first response and a repeated one are sent in the same way, so that they are the same. */
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
