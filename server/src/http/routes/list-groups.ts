// Lists that belong together: those of a group as one, and the retries of a list.

import type { FastifyInstance } from 'fastify';
import { READING_KEYS } from '../../rules/key-access.ts';
import { groupSummary, isGroup } from '../../rules/list-group.ts';
import { listsOfGroup, retriesOf } from '../../store/list-groups.ts';
import { findList } from '../../store/lists.ts';
import { refuse } from '../errors.ts';
import type { WireGroup, WireRetries } from '../openapi/group-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { readsOnce } from '../read-for.ts';
import { callerOf, type Parts, refusals, response } from '../route-parts.ts';
import { readListId } from '../wire/query.ts';
import { groupParam, idParam } from './lists.ts';

export function listGroupRoutes(app: FastifyInstance, parts: Parts): void {
  const { db } = parts.context;
  app.get<{ Params: { group: string } }>(
    '/groups/:group',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getGroup',
        summary: 'Show the lists of a group as one',
        description: 'Retries of its lists are not part of it.',
        params: {
          type: 'object',
          properties: { group: { ...groupParam, description: 'As given at submission.' } },
        },
        response: {
          200: response('The group with its current progress.', ref('Group')),
          ...refusals('group_not_found'),
        },
      },
    },
    readsOnce<{ Params: { group: string } }>(parts, async (request, reply) => {
      const { group } = request.params;
      const lists = isGroup(group) ? await listsOfGroup(db, callerOf(request).accountId, group) : [];
      const summary = groupSummary(group, lists);
      if (!summary) return refuse(request, reply, { why: 'group_not_found' });
      return summary satisfies WireGroup;
    }),
  );

  app.get<{ Params: { id: string } }>(
    '/lists/:id/retries',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getRetries',
        summary: 'List the retries of a list',
        description:
          'The retry of a retry is a retry of the first list as well; the retries of a retry are those made after it.',
        params: idParam,
        response: { 200: response('Its retries.', ref('Retries')), ...refusals('list_not_found') },
      },
    },
    readsOnce<{ Params: { id: string } }>(parts, async (request, reply) => {
      const id = readListId(request.params.id);
      const list = id && (await findList(db, id, callerOf(request).accountId));
      if (!list) return refuse(request, reply, { why: 'list_not_found' });
      return { lists: await retriesOf(db, list) } satisfies WireRetries;
    }),
  );
}
