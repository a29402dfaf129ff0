// What becomes of names that a route does not know (unknown-names.ts): a warning beside the answer, or a refusal.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type UnknownName, unknownSentence } from './errors.ts';

const WARNING = 'mxproof-warning';

/** Null: the request is carried out, and its answer names them. */
export function warnOfUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  why: UnknownName,
  names: readonly string[],
): { readonly why: UnknownName; readonly names: readonly string[] } | null {
  if (names.length === 0) return null;
  // While a program is written it should fail; once it runs, a name more must not stop it.
  if (request.caller?.test && !request.caller.session) return { why, names };
  warn(reply, unknownSentence(why, names));
  return null;
}

/** Beside the answer, and after what is there already. */
export function warn(reply: FastifyReply, warning: string): void {
  const before = reply.getHeader(WARNING);
  reply.header(WARNING, before === undefined ? warning : `${before}; ${warning}`);
}
