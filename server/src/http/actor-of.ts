// Who a request is of, as the audit trail has it.
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { browserOf } from '../flow/sign-in.ts';
import type { Actor, CameFrom } from '../rules/audit.ts';
import { callerOf } from './route-parts.ts';

/** Behind the key. */
export function actorOf(request: FastifyRequest): Actor {
  const caller = callerOf(request);
  return caller.session
    ? browserOf(cameFrom(request), caller.session)
    : { kind: 'key', id: caller.keyId, name: null, ...cameFrom(request) };
}

/** What a proxy forwards as an address may be any text: it is kept only if it is one, without the zone of a local one. */
export function cameFrom({ ip, id }: FastifyRequest): CameFrom {
  const [address = ''] = ip.split('%', 1);
  return { client: isIP(address) === 0 ? null : address, requestId: id };
}
