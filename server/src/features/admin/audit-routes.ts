// GET /admin/v1/audit: the trail of the whole deployment, a page of it or all as lines.
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import type { Parts } from '../../http/route-parts.ts';
import { pageQuery } from '../../http/routes/lists.ts';
import { readQuery, word } from '../../http/wire/query.ts';
import { AUDIT_ACTORS, AUDIT_WORDS } from '../../rules/audit.ts';
import { noteAuditExport, readAudit } from '../../store/audit.ts';
import { auditRows } from '../audit/audit-rows.ts';
import { wireAudit } from '../audit/wire-audit.ts';
import { adminActor } from './admin-door.ts';
import { adminResponse, queryOf, readRefusals } from './admin-parts.ts';

const auditQuery = {
  ...pageQuery,
  account: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Only of this account and its test side; also of one that was deleted.',
    }),
  ),
  action: Type.Optional(word(AUDIT_WORDS, { description: 'Only this.' })),
  actor: Type.Optional(word(AUDIT_ACTORS, { description: 'Only by such.' })),
  since: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Only from this time on: Unix seconds.',
    }),
  ),
  format: Type.Optional(
    word(['json', 'ndjson'], {
      description: 'ndjson: all rows that match, one JSON object a line; `offset` and `limit` are not read.',
    }),
  ),
};
const CODES = { format: 'bad_audit_format' } as const;

export function adminAuditRoutes(app: FastifyInstance, { context: { db } }: Parts): void {
  app.get(
    '/audit',
    {
      schema: {
        operationId: 'getAuditTrail',
        summary: 'Read the audit trail',
        description:
          'Who did what, from where and when, newest first: numbers and words before and after; of text only that it changed. An export as lines is itself a row, written before its first byte.',
        querystring: queryOf(auditQuery),
        response: {
          200: {
            ...adminResponse('A page of the trail, or all of it as lines.', ref('AdminAuditPage')),
            content: {
              'application/json': { schema: ref('AdminAuditPage') },
              'application/x-ndjson': {
                schema: { type: 'string', description: 'One `AdminAuditEntry` a line.' },
              },
            },
          },
          ...readRefusals(
            'bad_offset',
            'bad_limit',
            'bad_account',
            'bad_action',
            'bad_actor',
            'bad_since',
            'bad_audit_format',
          ),
        },
      },
    },
    async (request, reply) => {
      const query = readQuery(auditQuery, request.query, CODES);
      if ('why' in query) return refuse(request, reply, query);
      const { account, action, actor, since, offset, limit, format } = query;
      const filter = { accountId: account, isOneMode: false, action, actor, since, member: null };
      if (format !== 'ndjson') {
        const found = await readAudit(db, { ...filter, before: null, offset, limit });
        return { entries: found.map((entry) => wireAudit(entry, { forOperator: true })) };
      }
      await noteAuditExport(db, adminActor(request), account);
      return reply
        .header('content-disposition', 'attachment; filename="audit.ndjson"')
        .type('application/x-ndjson; charset=utf-8')
        .send(Readable.from(lines()));

      async function* lines(): AsyncGenerator<string> {
        for await (const entry of auditRows(db, filter))
          yield `${JSON.stringify(wireAudit(entry, { forOperator: true }))}\n`;
      }
    },
  );
}
