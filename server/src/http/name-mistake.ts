// What some refusals say beyond their message, read from the request that is refused: the same for everyone who sends it.
import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from './errors.ts';
import { foreignness } from './wire/same-origin.ts';

/** Undefined: the message says it all. */
export function nameMistake(request: FastifyRequest, why: ErrorCode): string | undefined {
  if (why === 'foreign_page') return foreignness(request);
  if (why !== 'list_not_found') return undefined;
  const { id } = request.params as { id?: string };
  if (id !== undefined && !/^[1-9]\d{0,15}$/.test(id)) return 'the id of a list is a whole number from 1';
  const mode = request.caller?.test ? 'test' : 'live';
  return `this account has no such list, or not in this mode: a ${mode} key finds ${mode} lists only`;
}
