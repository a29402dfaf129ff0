// What people meant: a new list of likelier spellings of a list's misspelt addresses, and the lists made so.

import type { FastifyInstance } from 'fastify';
import { readCorrections } from '../../flow/correct-list.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { recall } from '../../store/idempotency.ts';
import { correctionsOf } from '../../store/list-groups.ts';
import { findList } from '../../store/lists.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { type ListDeriver, readDerivedKey, sendRepeated } from '../derive-list.ts';
import { refuse } from '../errors.ts';
import type { WireCorrections } from '../openapi/group-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { reads, readsOnce } from '../read-for.ts';
import { ANY_BODY, callerOf, LOCATION, type Parts, refusals, response } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { idempotencyHeader, REPLAYED, readIdempotencyKey } from '../wire/idempotency-key.ts';
import { readListId } from '../wire/query.ts';
import { idParam } from './lists.ts';

/** As many domains as may be named, each as long as a name may be, with room for escapes. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

type OneList = { Params: { id: string } };

export function listCorrectionRoutes(app: FastifyInstance, parts: Parts, deriver: ListDeriver): void {
  const { db } = parts.context;

  app.post<OneList>(
    '/lists/:id/corrections',
    {
      config: { keys: FULL_KEYS, role: 'member' },
      schema: {
        operationId: 'correctList',
        summary: 'Check likelier spellings of misspelt addresses',
        description:
          'Creates a new list of the addresses of this finished list that have a `suggestion` and are not `deliverable`, each with the suggested domain behind its `@`. Addresses that the list has checked already are left out. The new list has the same name, no callback and no group, and one credit is charged for each of its addresses. Counts its addresses in the addresses window.',
        params: idParam,
        headers: { type: 'object', properties: { 'Idempotency-Key': idempotencyHeader } },
        body: REQUESTS.corrections,
        response: {
          201: response('The new list, charged.', ref('ListSummary'), { ...LOCATION, ...REPLAYED }),
          ...refusals('bad_domains', 'list_not_found', 'list_unfinished', 'nothing_to_correct', ...ANY_BODY),
        },
      },
    },
    reads<OneList>(
      parts,
      async (request, reply, reading) => {
        const header = readIdempotencyKey(request);
        if (typeof header === 'object' && header) return refuse(request, reply, header);
        const read = await readBody(parts, request, reply, 'corrections', {
          hashed: header !== null,
          maxBytes: MAX_BODY_BYTES,
        });
        if (read.kind === 'refused') return refuse(request, reply, read.refusal);
        const key = readDerivedKey(request, 'corrections', read.hash ?? undefined);
        if (key && 'why' in key) return refuse(request, reply, key);
        const remembered = key && (await recall(db, key));
        if (remembered) return sendRepeated(request, reply, 'corrections', remembered);
        const id = readListId(request.params.id);
        const list = id && (await findList(db, id, callerOf(request).accountId));
        if (!list) return refuse(request, reply, { why: 'list_not_found' });
        if (list.finishedAtSeconds === null) return refuse(request, reply, { why: 'list_unfinished' });
        if (list.resultsExpiredAtSeconds !== null)
          return refuse(request, reply, { why: 'nothing_to_correct' });
        return deriver.inTurn(request, async () => {
          const { emails, duplicates } = await readCorrections(db, reading, list, read.body.domains);
          return deriver.submit(request, reply, 'corrections', key, {
            of: list,
            count: emails.total,
            read: async () => emails,
            nothing: 'nothing_to_correct',
            duplicatesRemoved: duplicates,
            correctionOf: list.id,
          });
        });
      },
      'nothing_to_correct',
    ),
  );

  app.get<OneList>(
    '/lists/:id/corrections',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getCorrections',
        summary: 'List the corrections of a list',
        description:
          'The lists made of its misspelt addresses. In them, the address that a row was corrected to is what stands before its `@`, with its `suggestion` behind it (`include=suggestion`).',
        params: idParam,
        response: { 200: response('Its corrections.', ref('Corrections')), ...refusals('list_not_found') },
      },
    },
    readsOnce<OneList>(parts, async (request, reply) => {
      const id = readListId(request.params.id);
      const list = id && (await findList(db, id, callerOf(request).accountId));
      if (!list) return refuse(request, reply, { why: 'list_not_found' });
      return { lists: await correctionsOf(db, list) } satisfies WireCorrections;
    }),
  );
}
