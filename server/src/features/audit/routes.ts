// GET /audit: who changed or exported what in an account.
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { readsOnce, sendEntries } from '../../http/read-for.ts';
import { callerOf, mayManage, type Parts, refusals, response } from '../../http/route-parts.ts';
import { pageQuery } from '../../http/routes/lists.ts';
import { readQuery, word } from '../../http/wire/query.ts';
import { ACCOUNT_WORDS } from '../../rules/audit.ts';
import { READING_KEYS } from '../../rules/key-access.ts';
import { readAudit } from '../../store/audit.ts';
import { wireAudit } from './wire-audit.ts';

const auditQuery = {
  ...pageQuery,
  action: Type.Optional(word(ACCOUNT_WORDS, { description: 'Only entries with this action.' })),
  member: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Only what this member of the account did.' }),
  ),
  since: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only entries of this time or later: Unix seconds.' }),
  ),
};

export function auditRoutes(app: FastifyInstance, parts: Parts): void {
  const { db } = parts.context;

  app.get(
    '/audit',
    {
      config: { keys: READING_KEYS, role: 'owner' },
      schema: {
        operationId: 'getAudit',
        summary: 'Read the audit trail',
        description:
          'Who changed what in the account or read it out, newest first: each change of its keys, secrets, credits and settings, each sign-in, each list that was deleted, cancelled or whose rows were read out. It holds no secret, no e-mail address and no text that people write. The operator of the service is an actor without a name. A test key sees the test side, a live key the live one.',
        querystring: { type: 'object', properties: auditQuery },
        response: {
          200: response('A page of entries.', ref('AuditPage')),
          ...refusals('may_not_manage', 'bad_offset', 'bad_limit', 'bad_action', 'bad_member', 'bad_since'),
        },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const query = readQuery(auditQuery, request.query);
      if ('why' in query) return refuse(request, reply, query);
      const { accountId } = callerOf(request);
      const entries = await readAudit(db, {
        ...query,
        ...{ accountId, isOneMode: true, actor: null, before: null },
      });
      return sendEntries(reply, 'entries', entries, (entry) => wireAudit(entry, { forOperator: false }));
    }),
  );
}
