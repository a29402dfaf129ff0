// Who may in to /admin/v1: an operator's key, or a browser with an operator's session.
// Promise: a key of an account, or its session, is worth nothing here, under whatever name; each key and session has a rate window of
// its own; what only reads changes nothing.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cameFrom } from '../../http/actor-of.ts';
import { refuse } from '../../http/errors.ts';
import { inTime } from '../../http/in-time.ts';
import { rateHeaders } from '../../http/rate-headers.ts';
import type { Door, Parts } from '../../http/route-parts.ts';
import { isForeign } from '../../http/wire/same-origin.ts';
import { readSessionOf } from '../../http/wire/session-cookie.ts';
import { readAdminKey } from '../../rules/api-key.ts';
import type { Actor } from '../../rules/audit.ts';
import { isWithin } from '../../rules/cidr.ts';
import { batched } from '../../store/batched.ts';
import { type RateDecision, type RateRequest, takeFromWindows } from '../../store/rate-windows.ts';
import { OPERATOR_SESSION } from '../operator/sign-in-link.ts';
import { type AdminScope, findAdminKeys } from '../operator/stored-admin-keys.ts';
import { findOperatorSessions } from '../operator/stored-sign-ins.ts';

/** How many requests share one look-up. */
const ASKED_AT_ONCE = 100;

export interface Admin {
  /** Null: a browser that was signed in without one. */
  readonly keyId: number | null;
  /** Of a browser: who it is by the sign-in provider; null: signed in otherwise. */
  readonly subject: string | null;
  /** Null: it came with a key. */
  readonly sessionId: number | null;
  readonly scope: AdminScope;
  readonly window: RateDecision;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: no route of operators, or not admitted. */
    admin: Admin | null;
  }
}

/** Behind the door. */
export function adminOf({ admin }: FastifyRequest): Admin {
  if (!admin) throw new Error('a route of operators was reached without one');
  return admin;
}

/** As the audit trail has it. */
export function adminActor(request: FastifyRequest): Actor {
  const { keyId, sessionId, subject } = adminOf(request);
  const kind = sessionId === null ? 'admin_key' : 'operator';
  return { ...cameFrom(request), kind, id: keyId, name: subject };
}

/** Every request below it, whether or not such a path exists. */
export function guardAdmin(
  api: FastifyInstance,
  { context: { db }, rateRequests }: Pick<Parts, 'context' | 'rateRequests'>,
  { ready, admitLimitMs }: Door,
): void {
  const keyOf = batched(ASKED_AT_ONCE, (hashes: readonly Buffer[]) => findAdminKeys(db, hashes));
  const sessionOf = batched(ASKED_AT_ONCE, (hashes: readonly Buffer[]) => findOperatorSessions(db, hashes));
  const take = batched(ASKED_AT_ONCE, (asks: readonly RateRequest[]) => takeFromWindows(db, asks));

  async function findAdmin(request: FastifyRequest): Promise<Omit<Admin, 'window'> | null> {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const hash = readAdminKey(/^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');
      const key = hash && (await keyOf(hash));
      return key && mayComeFrom(request, key) ? { ...key, sessionId: null, subject: null } : null;
    }
    const hash = readSessionOf(request, OPERATOR_SESSION);
    const session = hash && (await sessionOf(hash));
    if (!session || !mayComeFrom(request, session)) return null;
    const { id: sessionId, keyId, subject, scope } = session;
    return { keyId, sessionId, subject, scope };
  }

  async function admit(request: FastifyRequest): Promise<Admin | null> {
    const found = await findAdmin(request);
    if (!found) return null;
    const { sessionId, keyId } = found;
    const kind = sessionId === null ? 'admin_key' : 'operator';
    const window = await take({ holderId: sessionId ?? keyId!, kind, limit: rateRequests, amount: 1 });
    return { ...found, window };
  }

  api.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    if (request.routeOptions.config.open) return;
    if (!ready()) return refuse(request, reply, { why: 'unavailable' });
    const admitted = await inTime(
      admit(request).then((admin) => ({ admin })),
      admitLimitMs,
    );
    if (!admitted) return refuse(request, reply, { why: 'unavailable' });
    const { admin } = admitted;
    if (!admin) return refuse(request, reply, { why: 'invalid_admin_key' });
    request.admin = admin;
    const { granted, retryAfterMs } = admin.window;
    if (!granted) return refuse(request, reply, { why: 'rate_limited', retryAfterMs });
    if (admin.sessionId !== null && isForeign(request))
      return refuse(request, reply, { why: 'foreign_page' });
    if (request.is404) return refuse(request, reply, { why: 'not_found' });
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (!isReading && admin.scope !== 'write') return refuse(request, reply, { why: 'admin_scope' });
    // A body is JSON whatever it is called; left here, a malformed name would be refused before us.
    delete request.headers['content-type'];
  });
  api.addHook('onSend', async ({ admin }, reply) => {
    if (admin)
      reply.headers(
        rateHeaders({
          limits: { requests: rateRequests },
          windows: { requests: admin.window, addresses: null },
        }),
      );
  });
  api.setNotFoundHandler((request, reply) => refuse(request, reply, { why: 'not_found' }));
}

function mayComeFrom(
  { ip }: FastifyRequest,
  { allowedIps }: { allowedIps: readonly string[] | null },
): boolean {
  return allowedIps === null || isWithin(ip, allowedIps);
}
