// GET /session and POST /session/switch: what a browser is signed in to, and to which of its accounts or sides it goes.
// Promise: behind the same door as /v1; a key has no session here.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { switchSession } from '../../flow/switch-session.ts';
import { READING_KEYS } from '../../rules/key-access.ts';
import { findAccount } from '../../store/accounts.ts';
import { findMembership, membershipsOf } from '../../store/members.ts';
import { findPerson } from '../../store/people.ts';
import { findSessions, type Session } from '../../store/sessions.ts';
import { cameFrom } from '../actor-of.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { refuse } from '../errors.ts';
import type { WireOwnSession } from '../openapi/member-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { callerOf, KEYED_BODY, type Parts, refusals, response } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { readSessionOf } from '../wire/session-cookie.ts';

const config = { keys: READING_KEYS, role: 'viewer', whileSuspended: true } as const;
const security = [{ session: [], sessionProof: [] }];

export function ownSessionRoutes(app: FastifyInstance, parts: Parts): void {
  const { db } = parts.context;

  app.get(
    '/session',
    {
      config,
      schema: {
        operationId: 'getSession',
        summary: 'Show what a browser is signed in to',
        description: 'For the service’s own page.',
        security,
        response: { 200: response('The session.', ref('OwnSession')), ...refusals() },
      },
    },
    async (request, reply) => {
      const { session } = callerOf(request);
      const shown = session && (await wireSession(parts, session));
      return shown ?? refuse(request, reply, { why: 'invalid_api_key' });
    },
  );

  app.post(
    '/session/switch',
    {
      config,
      schema: {
        operationId: 'switchSession',
        summary: 'Go to another account, or to the other side of this one',
        description:
          'The session of a person who has proved who they are switches to any account they are a member of. A session that was started with a key keeps its mode. Event streams of the previous account or side end.',
        security,
        body: REQUESTS.session_switch,
        response: {
          200: response('Where the session is now.', ref('OwnSession')),
          ...refusals('bad_account_id', 'bad_test', 'no_other_side', ...KEYED_BODY),
        },
      },
    },
    async (request, reply) => {
      const { session } = callerOf(request);
      if (!session) return refuse(request, reply, { why: 'invalid_api_key' });
      const read = await readBody(parts, request, reply, 'session_switch', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const { account_id: accountId = null, test = false } = read.body;
      const done = await switchSession(db, cameFrom(request), session, { accountId, test });
      if (done !== 'switched') return refuse(request, reply, { why: done });
      const now = await sessionNow(request);
      return (now && (await wireSession(parts, now))) ?? refuse(request, reply, { why: 'invalid_api_key' });
    },
  );

  async function sessionNow(request: FastifyRequest): Promise<Session | null> {
    const hash = readSessionOf(request);
    const [session] = hash ? await findSessions(db, [hash]) : [];
    return session ?? null;
  }
}

/** Null: the account was deleted meanwhile. */
async function wireSession({ context: { db } }: Parts, session: Session): Promise<WireOwnSession | null> {
  const account = await findAccount(db, session.parentId);
  if (!account) return null;
  const own = session.memberId === null ? null : await findMembership(db, session.memberId);
  const person = session.personId === null ? null : await findPerson(db, session.personId);
  const theirs = person ? await membershipsOf(db, person.id) : own ? [own] : [];
  return {
    name: account.name,
    account_id: account.id,
    test: session.test,
    role: session.role,
    manage: session.manage,
    email: own?.email ?? null,
    signed_in_as: person && (person.email ?? hostOf(person.issuer)),
    can_switch_side: session.keyId === null,
    accounts: theirs.map(({ accountId, accountName, role }) => ({
      ...{ account_id: accountId, name: accountName, role },
    })),
  };
}

function hostOf(issuer: string | null): string | null {
  return URL.parse(issuer ?? '')?.host ?? issuer;
}
