// Which keys, and which members in their roles, a route behind the key answers: each says so in its declaration. And what a suspended
// account may still ask for.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FULL_KEYS } from '../rules/key-access.ts';
import type { List } from '../rules/list.ts';
import { isAtLeast } from '../rules/roles.ts';
import type { Caller } from './admit.ts';
import { callerOf } from './route-parts.ts';

/** Promise: a route without a decision is a defect that no service starts with. */
export function requireAccess(v1: FastifyInstance): void {
  v1.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.keys) throw new Error(`${method} ${url} does not say which keys it answers (config.keys)`);
    if (!config.role) throw new Error(`${method} ${url} does not say which members it answers (config.role)`);
  });
}

/** Of a request to a route that there is. */
export function mayCall({ routeOptions }: FastifyRequest, { access }: Caller): boolean {
  return (routeOptions.config.keys ?? FULL_KEYS).includes(access);
}

/** As `mayCall`; for who is no member, the key alone decides. */
export function mayCallAs({ routeOptions }: FastifyRequest, { session }: Caller): boolean {
  const role = session?.role ?? null;
  return role === null || isAtLeast(role, routeOptions.config.role ?? 'owner');
}

/** Without a word of its own in `config.whileSuspended`, a route that is added is decided by its method. */
const STILL_ANSWERED = ['GET', 'HEAD', 'DELETE'];

/** An owner gets what is stored, and may have it deleted; nothing works for the account any more. */
export function mayCallSuspended({ method, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.whileSuspended ?? STILL_ANSWERED.includes(method);
}

/** A key that only verifies reads its own single checks, and knows of no other list. */
export function mayRead(request: FastifyRequest, { single, keyId }: List): boolean {
  const caller = callerOf(request);
  return caller.access !== 'verify' || (single && keyId !== null && keyId === keyIdOf(caller));
}

/** Also where a browser came with the session that it signed in to with a key; null: with a link. */
export function keyIdOf({ keyId, session }: Pick<Caller, 'keyId' | 'session'>): number | null {
  return session ? session.keyId : keyId;
}
