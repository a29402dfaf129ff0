// GET, POST and DELETE /operator/session: an operator's browser signs in with a key, asks what it may, and signs out. Before that,
// GET /operator/session/ways says how it can sign in.
// Promise: the key is neither kept nor sent back; pages of other sites can sign no browser in or out.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cameFrom } from '../../http/actor-of.ts';
import { refuse } from '../../http/errors.ts';
import { inTime } from '../../http/in-time.ts';
import { ref } from '../../http/openapi/schemas.ts';
import {
  type Door,
  openRefusals,
  openResponse,
  type Parts,
  READ_BODY,
  WARNING,
} from '../../http/route-parts.ts';
import { isForeign, isSameOrigin } from '../../http/wire/same-origin.ts';
import { clearSessionCookie, readSessionOf, setSessionCookie } from '../../http/wire/session-cookie.ts';
import { isWithin } from '../../rules/cidr.ts';
import { signInWithAdminKey, signOperatorOut } from '../operator/sign-in.ts';
import { OPERATOR_SESSION } from '../operator/sign-in-link.ts';
import {
  findOperatorSessions,
  OPERATOR_SESSION_HOURS,
  type OperatorSession,
} from '../operator/stored-sign-ins.ts';
import type { WireOperatorSession, WireOperatorSignInWays } from './account-schemas.ts';
import { ADMIN_REQUESTS, readAdminBody } from './bodies.ts';

const config = { open: true };
const SET_COOKIE = { 'Set-Cookie': { description: 'The session, HttpOnly.', type: 'string' } };
const BY_SESSION = [{ operator: [], operatorProof: [] }];

/** Tries are counted (http/limit-sign-ins.ts). */
export function operatorSignInRoutes(app: FastifyInstance, parts: Parts): void {
  const { db } = parts.context;
  app.post(
    '/operator/session',
    {
      config,
      schema: {
        operationId: 'signInOperator',
        summary: 'Sign an operator’s browser in',
        description: `Sets the cookie \`mxproof_operator\` (\`__Host-mxproof_operator\` over https), with which the operator’s pages call \`/admin/v1\` without a key, and answers the \`proof\` that they send beside it as \`MXProof-Operator-Proof\`. It has the scope of the key, and ends with it, or after ${OPERATOR_SESSION_HOURS} hours. Limited per client address.`,
        security: [],
        body: ADMIN_REQUESTS.session,
        response: {
          200: openResponse('Signed in.', ref('OperatorSignedIn'), { ...SET_COOKIE, ...WARNING }),
          ...openRefusals(
            'admin_key_required',
            'invalid_admin_key',
            'foreign_page',
            'sign_in_by_key_off',
            'rate_limited',
            ...READ_BODY,
          ),
        },
      },
    },
    async (request, reply) => {
      // Browsers always send the origin; other clients need not.
      if (request.headers.origin !== undefined && !isSameOrigin(request))
        return refuse(request, reply, { why: 'foreign_page' });
      if (!parts.signIn.byKey) return refuse(request, reply, { why: 'sign_in_by_key_off' });
      const read = await readAdminBody(parts, request, reply, 'session');
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const before = readSessionOf(request, OPERATOR_SESSION);
      const signedIn = await signInWithAdminKey(db, cameFrom(request), read.body.admin_key, before);
      if (!signedIn) return refuse(request, reply, { why: 'invalid_admin_key' });
      setSessionCookie(request, reply, signedIn.token, OPERATOR_SESSION);
      const expiresAt = Math.floor(Date.now() / 1000) + OPERATOR_SESSION_HOURS * 3_600;
      return { scope: signedIn.scope, expires_at: expiresAt, proof: signedIn.proof };
    },
  );
}

export function operatorSessionRoutes(
  app: FastifyInstance,
  { context: { db }, signIn: { byKey, openid } }: Parts,
  door: Door,
): void {
  const signsOperatorsIn =
    openid && (openid.operators.subjects.length > 0 || openid.operators.claim !== null);
  const ways: WireOperatorSignInWays = {
    key: byKey,
    openid: signsOperatorsIn ? { name: openid.name } : null,
  };

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    if (!door.ready()) return refuse(request, reply, { why: 'unavailable' });
  });

  app.get(
    '/operator/session/ways',
    {
      config,
      schema: {
        operationId: 'getOperatorSignInWays',
        summary: 'Show how operators’ browsers can be signed in',
        security: [],
        response: { 200: openResponse('The ways.', ref('OperatorSignInWays')), ...openRefusals() },
      },
    },
    async () => ways,
  );

  /** Null: the database does not answer. */
  const sessionOf = (request: FastifyRequest) =>
    inTime(
      findSession(request).then((session) => ({ session })),
      door.admitLimitMs,
    );

  async function findSession(request: FastifyRequest): Promise<OperatorSession | null> {
    const hash = readSessionOf(request, OPERATOR_SESSION);
    const [session] = hash ? await findOperatorSessions(db, [hash]) : [];
    if (!session) return null;
    return session.allowedIps === null || isWithin(request.ip, session.allowedIps) ? session : null;
  }

  app.get(
    '/operator/session',
    {
      config,
      schema: {
        operationId: 'getOperatorSession',
        summary: 'Show the operator’s session',
        security: BY_SESSION,
        response: {
          200: openResponse('The session of the cookie.', ref('OperatorSession')),
          ...openRefusals('invalid_admin_key', 'foreign_page'),
        },
      },
    },
    async (request, reply) => {
      const looked = await sessionOf(request);
      if (!looked) return refuse(request, reply, { why: 'unavailable' });
      const { session } = looked;
      if (!session) return refuse(request, reply, { why: 'invalid_admin_key' });
      if (isForeign(request)) return refuse(request, reply, { why: 'foreign_page' });
      return { scope: session.scope, expires_at: session.endsAtSeconds } satisfies WireOperatorSession;
    },
  );

  app.delete(
    '/operator/session',
    {
      config,
      schema: {
        operationId: 'signOperatorOut',
        summary: 'Sign an operator’s browser out',
        description: 'Ends the session of the cookie and removes it.',
        security: BY_SESSION,
        response: {
          200: openResponse('Signed out.', ref('Deleted'), SET_COOKIE),
          ...openRefusals('invalid_admin_key', 'foreign_page'),
        },
      },
    },
    async (request, reply) => {
      const looked = await sessionOf(request);
      if (!looked) return refuse(request, reply, { why: 'unavailable' });
      const { session } = looked;
      if (session && isForeign(request)) return refuse(request, reply, { why: 'foreign_page' });
      clearSessionCookie(request, reply, OPERATOR_SESSION);
      if (!session) return refuse(request, reply, { why: 'invalid_admin_key' });
      await signOperatorOut(db, cameFrom(request), session);
      return { deleted: true };
    },
  );
}
