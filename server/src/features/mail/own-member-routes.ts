// GET and PATCH /members/me: what a signed-in member has chosen to be mailed.
import type { FastifyInstance } from 'fastify';
import { changeListMail } from '../../flow/list-mail.ts';
import { REQUESTS } from '../../http/body/request-schemas.ts';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { callerOf, KEYED_BODY, type Parts, refusals, response } from '../../http/route-parts.ts';
import { readBody } from '../../http/take-body.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { shownMailError } from '../../rules/mail-error.ts';
import { type ListMail, readListMail } from '../../store/list-mail.ts';
import type { WireOwnMember } from './own-member-schema.ts';

export function ownMemberRoutes(app: FastifyInstance, parts: Parts): void {
  const { sendsMail } = parts;
  const { db } = parts.context;

  app.get(
    '/members/me',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getOwnMember',
        summary: 'Show what you have chosen to be mailed',
        description: 'For members who are signed in in a browser.',
        response: {
          200: response('Your choice, and where mail goes.', ref('OwnMember')),
          ...refusals('no_member'),
        },
      },
    },
    async (request, reply) => {
      const memberId = callerOf(request).session?.memberId ?? null;
      const found = memberId === null ? null : await readListMail(db, memberId);
      return found ? wire(found) : refuse(request, reply, { why: 'no_member' });
    },
  );

  app.patch(
    '/members/me',
    {
      config: { keys: FULL_KEYS, role: 'viewer' },
      schema: {
        operationId: 'changeOwnMember',
        summary: 'Choose to be mailed when your lists are done',
        description:
          'Of lists that you start from then on, in this account. Mail goes to a mailbox that you have proved: by an invitation or a sign-in link that was mailed to you, or by your sign-in provider. Mail that was stopped from a mail goes out again.',
        body: REQUESTS.own_member,
        response: {
          200: response('Your choice as it is now.', ref('OwnMember')),
          ...refusals('bad_list_mail', 'no_member', 'no_mail_sent', 'mailbox_not_proved', ...KEYED_BODY),
        },
      },
    },
    async (request, reply) => {
      const memberId = callerOf(request).session?.memberId ?? null;
      const read = await readBody(parts, request, reply, 'own_member', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const done = await changeListMail(db, memberId, { wanted: read.body.list_mail, sendsMail });
      if (done !== 'changed') return refuse(request, reply, { why: done });
      const found = memberId === null ? null : await readListMail(db, memberId);
      return found ? wire(found) : refuse(request, reply, { why: 'no_member' });
    },
  );

  function wire({ chosen, mailbox, stopped, error }: ListMail): WireOwnMember {
    return {
      list_mail: chosen,
      mail_to: sendsMail ? mailbox : null,
      mail_stopped: stopped,
      mail_error: shownMailError(error),
      sends_mail: sendsMail,
    };
  }
}
