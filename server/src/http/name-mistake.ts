// What some refusals say beyond their message, read from the request that is refused: the same for everyone who sends it.
import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from './errors.ts';
import { foreignness } from './wire/same-origin.ts';

/** Undefined: the message says it all. */
export function nameMistake(request: FastifyRequest, why: ErrorCode): string | undefined {
  if (why === 'foreign_page') return foreignness(request);
  if (why === 'may_not_manage')
    return 'this needs a key with manage, or a session that was signed in with one';
  if (why === 'key_access') return accessNeeded(request);
  if (why === 'account_suspended')
    return 'what is stored can still be read and deleted: ask the operator of this service';
  if (why !== 'list_not_found') return undefined;
  const { id } = request.params as { id?: string };
  if (id !== undefined && !/^[1-9]\d{0,15}$/.test(id)) return 'the id of a list is a whole number from 1';
  const mode = request.caller?.test ? 'test' : 'live';
  return `this account has no such list, or not in this mode: a ${mode} key finds ${mode} lists only`;
}

function accessNeeded({ caller, routeOptions }: FastifyRequest): string {
  const needed = routeOptions.config.keys?.join(' or ');
  return `the access of this key is ${caller?.access}, and this needs ${needed}`;
}
