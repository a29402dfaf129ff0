// DELETE /lists/{id}, at once or with an undo, and POST /lists/{id}/undelete.

import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { deleteList } from '../../flow/delete-list.ts';
import { deleteWithUndo, undeleteList } from '../../flow/delete-with-undo.ts';
import { FULL_KEYS } from '../../rules/key-access.ts';
import { listSummary } from '../../rules/list.ts';
import { actorOf } from '../actor-of.ts';
import { refuse } from '../errors.ts';
import { ref, type WireList } from '../openapi/schemas.ts';
import { callerOf, NO_BODY, type Parts, refusals, response } from '../route-parts.ts';
import { readListId, readQuery } from '../wire/query.ts';
import { idParam } from './lists.ts';

type OneList = { Params: { id: string } };

const deletionQuery = {
  undo: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3_600,
      description: 'For how many seconds the deletion can be undone. Of a finished list only.',
    }),
  ),
};

export function listDeletionRoutes(app: FastifyInstance, { context }: Parts): void {
  app.delete<OneList>(
    '/lists/:id',
    {
      config: { keys: FULL_KEYS, role: 'member' },
      schema: {
        operationId: 'deleteList',
        summary: 'Delete a list',
        description:
          'Stops an unfinished list and refunds its unknown and unchecked addresses. With `undo`, a finished list is gone for everyone at once, its data is removed that many seconds later, and until then it can be brought back (undeleteList). A parameter that is not known, or a body that says something, is refused, and nothing is deleted.',
        params: idParam,
        querystring: { type: 'object', properties: deletionQuery },
        response: {
          200: response('List deleted.', ref('Deleted')),
          ...refusals('bad_undo', 'list_not_found', 'list_unfinished', ...NO_BODY),
        },
      },
    },
    async (request, reply) => {
      const query = readQuery(deletionQuery, request.query);
      if ('why' in query) return refuse(request, reply, query);
      const id = readListId(request.params.id);
      if (!id) return refuse(request, reply, { why: 'list_not_found' });
      const { accountId } = callerOf(request);
      if (query.undo === null)
        return (await deleteList(context, actorOf(request), id, accountId))
          ? { deleted: true }
          : refuse(request, reply, { why: 'list_not_found' });
      const outcome = await deleteWithUndo(context, actorOf(request), id, accountId, query.undo);
      switch (outcome) {
        case 'not_found':
          return refuse(request, reply, { why: 'list_not_found' });
        case 'unfinished':
          return refuse(request, reply, { why: 'list_unfinished' });
        case 'deleted':
          return { deleted: true };
        default:
          return outcome satisfies never;
      }
    },
  );

  app.post<OneList>(
    '/lists/:id/undelete',
    {
      config: { keys: FULL_KEYS, role: 'member' },
      schema: {
        operationId: 'undeleteList',
        summary: 'Bring a deleted list back',
        description:
          'Undoes a DELETE with `undo`, within its seconds: the list is as it was, a pending callback included. A list that is not deleted stays as it is, so that this request can be repeated.',
        params: idParam,
        response: {
          200: response('The list, which is back.', ref('ListSummary')),
          ...refusals('list_not_found'),
        },
      },
    },
    async (request, reply) => {
      const id = readListId(request.params.id);
      const list = id && (await undeleteList(context, actorOf(request), id, callerOf(request).accountId));
      if (!list) return refuse(request, reply, { why: 'list_not_found' });
      return listSummary(list) satisfies WireList;
    },
  );
}
