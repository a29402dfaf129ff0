// POST and DELETE /session: a browser signs in with a key, and out.
// Promise: the key is neither kept nor sent back; pages of other sites can sign no browser in or out.
import type { FastifyInstance } from 'fastify';
import { signInWithKey, signOut } from '../../flow/sign-in.ts';
import { findAccount } from '../../store/accounts.ts';
import { findSessions, SESSION_DAYS } from '../../store/sessions.ts';
import { cameFrom } from '../actor-of.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { refuse } from '../errors.ts';
import type { WireSignedIn } from '../openapi/account-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { openRefusals, openResponse, type Parts, READ_BODY, WARNING } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { isForeign, isSameOrigin } from '../wire/same-origin.ts';
import { clearSessionCookie, readSessionOf, setSessionCookie } from '../wire/session-cookie.ts';

const DAY_SECONDS = 24 * 3600;
const config = { open: true };
const SET_COOKIE = { 'Set-Cookie': { description: 'The session, HttpOnly.', type: 'string' } };

export function sessionRoutes(app: FastifyInstance, parts: Parts): void {
  const { db } = parts.context;

  app.post(
    '/session',
    {
      config,
      schema: {
        operationId: 'signIn',
        summary: 'Sign a browser in',
        description:
          'Sets the cookie `mxproof_session` (`__Host-mxproof_session` over https), with which the service’s own page calls `/v1` without a key, and answers the `proof` that it sends beside it as `MXProof-Session-Proof`. Limited per client address.',
        security: [],
        body: REQUESTS.session,
        response: {
          200: openResponse('Signed in.', ref('SignedIn'), { ...SET_COOKIE, ...WARNING }),
          ...openRefusals(
            'api_key_required',
            'invalid_api_key',
            'foreign_page',
            'sign_in_by_key_off',
            'rate_limited',
            ...READ_BODY,
          ),
        },
      },
    },
    async (request, reply) => {
      // Prevents login CSRF: a foreign page could sign its visitor in to the attacker's account. Browsers always send the
      // origin; other clients need not.
      if (request.headers.origin !== undefined && !isSameOrigin(request))
        return refuse(request, reply, { why: 'foreign_page' });
      if (!parts.signIn.byKey) return refuse(request, reply, { why: 'sign_in_by_key_off' });
      const read = await readBody(parts, request, reply, 'session', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const { api_key: apiKey } = read.body;
      const before = readSessionOf(request);
      const signedIn = await signInWithKey(db, cameFrom(request), { apiKey, ip: request.ip, before });
      if (!signedIn) return refuse(request, reply, { why: 'invalid_api_key' });
      const account = await findAccount(db, signedIn.accountId);
      // It was deleted meanwhile.
      if (!account) return refuse(request, reply, { why: 'invalid_api_key' });
      setSessionCookie(request, reply, signedIn.token);
      const nowSeconds = Math.floor(Date.now() / 1000);
      const expiresAt = nowSeconds + SESSION_DAYS * DAY_SECONDS;
      return {
        name: account.name,
        test: signedIn.test,
        expires_at: expiresAt,
        proof: signedIn.proof,
      } satisfies WireSignedIn;
    },
  );

  app.delete(
    '/session',
    {
      config,
      schema: {
        operationId: 'signOut',
        summary: 'Sign a browser out',
        description: 'Ends the session of the cookie and removes it.',
        security: [{ session: [], sessionProof: [] }],
        response: {
          200: openResponse('Signed out; the session and its event streams end.', ref('Deleted'), SET_COOKIE),
          ...openRefusals('invalid_api_key', 'foreign_page'),
        },
      },
    },
    async (request, reply) => {
      const hash = readSessionOf(request);
      const [session] = hash ? await findSessions(db, [hash]) : [];
      if (!hash || !session) {
        clearSessionCookie(request, reply);
        return refuse(request, reply, { why: 'invalid_api_key' });
      }
      if (isForeign(request)) return refuse(request, reply, { why: 'foreign_page' });
      await signOut(db, cameFrom(request), { ...session, hash });
      clearSessionCookie(request, reply);
      return { deleted: true };
    },
  );
}
