// Who a request is of, as the audit trail has it.
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Actor, CameFrom } from '../rules/audit.ts';
import { keyIdOf } from './check-access.ts';
import { callerOf } from './route-parts.ts';

/** Behind the key. */
export function actorOf(request: FastifyRequest): Actor {
  const caller = callerOf(request);
  const kind = caller.session === null ? 'key' : 'session';
  return { kind, id: keyIdOf(caller), name: null, ...cameFrom(request) };
}

/** What a proxy forwards as an address may be any text: it is kept only if it is one, without the zone of a local one. */
export function cameFrom({ ip, id }: FastifyRequest): CameFrom {
  const [address = ''] = ip.split('%', 1);
  return { client: isIP(address) === 0 ? null : address, requestId: id };
}
