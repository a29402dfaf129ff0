// The members of an account, for those who manage it.
// Promise: a link is shown once, in the answer that makes it; a test key reaches no member, since members are of the live account too.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  changeRole,
  inviteMember,
  type OfAccount,
  removeMember,
  renewInvitation,
} from '../../flow/members.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { shownMailError } from '../../rules/mail-error.ts';
import { type Member, membersOf } from '../../store/members.ts';
import { actorOf } from '../actor-of.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { type Refusal, refuse } from '../errors.ts';
import type { WireInvitedMember, WireMember } from '../openapi/member-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { readsOnce, sendEntries } from '../read-for.ts';
import { callerOf, KEYED_BODY, mayManage, NO_BODY, type Parts, refusals, response } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { readListId as readId } from '../wire/query.ts';
import { JOIN_PATH } from './invitation.ts';

type OneMember = { Params: { id: string } };

const idParam = {
  type: 'object',
  properties: { id: { type: 'integer', minimum: 1, description: 'Member identifier.' } },
} as const;
const config = { keys: FULL_KEYS, role: 'owner' } as const;
const MANAGING = ['may_not_manage', 'test_keys_only'] as const;

export function memberRoutes(app: FastifyInstance, parts: Parts): void {
  const { db } = parts.context;

  app.get(
    '/members',
    {
      config: { keys: READING_KEYS, role: 'owner' },
      schema: {
        operationId: 'getMembers',
        summary: 'List the members',
        description: 'People who may use the account in a browser, those who are invited included.',
        response: { 200: response('All members.', ref('MemberPage')), ...refusals(...MANAGING) },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const refusal = mayManageMembers(request);
      if (refusal) return refuse(request, reply, refusal);
      return sendEntries(reply, 'members', await membersOf(db, callerOf(request).parentId), wireMember);
    }),
  );

  app.post(
    '/members',
    {
      config,
      schema: {
        operationId: 'inviteMember',
        summary: 'Invite a member',
        description:
          'Answers a link to join with, for you to hand on. Where the service sends mail, another is mailed to the member; who joins with that one has proved the mailbox.',
        body: REQUESTS.member,
        response: {
          201: response('The member, and the link; it is shown only here.', ref('InvitedMember')),
          ...refusals(
            ...(['email_required', 'email_too_long', 'bad_email', 'bad_role'] as const),
            ...(['already_member', 'too_many_members', ...MANAGING, ...KEYED_BODY] as const),
          ),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManageMembers(request);
      if (refusal) return refuse(request, reply, refusal);
      const read = await readBody(parts, request, reply, 'member', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const { email, role } = read.body;
      const accountId = callerOf(request).parentId;
      const invited = await db.transaction((tx) =>
        inviteMember(tx, actorOf(request), { accountId, email, role }, parts.sendsMail),
      );
      return sendInvited(request, reply, invited);
    },
  );

  app.patch<OneMember>(
    '/members/:id',
    {
      config,
      schema: {
        operationId: 'changeMember',
        summary: 'Give a member another role',
        description: 'From the next request on. The last owner who has joined stays one.',
        params: idParam,
        body: REQUESTS.member_change,
        response: {
          200: response('The member as it is now.', ref('Member')),
          ...refusals('bad_role', 'member_not_found', 'last_owner', ...MANAGING, ...KEYED_BODY),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManageMembers(request);
      if (refusal) return refuse(request, reply, refusal);
      const asked = memberOf(request);
      if (!asked) return refuse(request, reply, { why: 'member_not_found' });
      const read = await readBody(parts, request, reply, 'member_change', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const changed = await db.transaction((tx) => changeRole(tx, actorOf(request), asked, read.body.role));
      return typeof changed === 'string' ? refuse(request, reply, { why: changed }) : wireMember(changed);
    },
  );

  app.delete<OneMember>(
    '/members/:id',
    {
      config,
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a member',
        description: 'Their sessions end, open event streams within 15 seconds, and so does an invitation.',
        params: idParam,
        response: {
          200: response('Member removed.', ref('Deleted')),
          ...refusals('member_not_found', 'last_owner', ...MANAGING, ...NO_BODY),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManageMembers(request);
      if (refusal) return refuse(request, reply, refusal);
      const asked = memberOf(request);
      const done = asked
        ? await db.transaction((tx) => removeMember(tx, actorOf(request), asked))
        : 'member_not_found';
      return done === 'removed' ? { deleted: true } : refuse(request, reply, { why: done });
    },
  );

  app.post<OneMember>(
    '/members/:id/link',
    {
      config,
      schema: {
        operationId: 'renewInvitation',
        summary: 'Make another link for a member',
        description:
          'Links made before end. Also for a member who has joined, and has no other way to sign in again.',
        params: idParam,
        response: {
          201: response('The member, and the link; it is shown only here.', ref('InvitedMember')),
          ...refusals('member_not_found', ...MANAGING),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManageMembers(request);
      if (refusal) return refuse(request, reply, refusal);
      const asked = memberOf(request);
      const renewed = asked
        ? await db.transaction((tx) => renewInvitation(tx, actorOf(request), asked, parts.sendsMail))
        : 'member_not_found';
      return sendInvited(request, reply, renewed);
    },
  );

  function sendInvited(
    request: FastifyRequest,
    reply: FastifyReply,
    invited: Awaited<ReturnType<typeof inviteMember | typeof renewInvitation>>,
  ): FastifyReply {
    if (typeof invited === 'string') return refuse(request, reply, { why: invited });
    const base = parts.publicUrl ?? `${request.protocol}://${request.host}`;
    const link = `${base}${JOIN_PATH}/${invited.token}`;
    return reply
      .code(201)
      .send({ ...wireMember(invited.member), link, mailed: invited.mailed } satisfies WireInvitedMember);
  }
}

/** Null: it may. A session that has gone to the test side is of the account all the same. */
function mayManageMembers(request: FastifyRequest): Refusal | null {
  const { test, session } = callerOf(request);
  if (test && (!session || session.keyId !== null)) return { why: 'test_keys_only' };
  return mayManage(request);
}

function memberOf(request: FastifyRequest<OneMember>): OfAccount | null {
  const id = readId(request.params.id);
  return id ? { id, accountId: callerOf(request).parentId } : null;
}

export function wireMember(member: Member): WireMember {
  return {
    id: member.id,
    email: member.email,
    role: member.role,
    status: member.joinedAtSeconds === null ? 'invited' : 'joined',
    created_at: member.createdAtSeconds,
    joined_at: member.joinedAtSeconds,
    last_seen_at: member.lastSeenAtSeconds,
    mail_error: shownMailError(member.mailError),
  };
}
