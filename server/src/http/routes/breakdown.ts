// GET /lists/{id}/breakdown: what a list consists of.

import type { FastifyInstance } from 'fastify';
import { scanList } from '../../flow/read-results.ts';
import { countBreakdown } from '../../rules/breakdown.ts';
import { readResults } from '../../rules/chunk-results.ts';
import { READING_KEYS } from '../../rules/key-access.ts';
import { findList } from '../../store/lists.ts';
import { refuse } from '../errors.ts';
import { ref, type WireBreakdown } from '../openapi/schemas.ts';
import { reads } from '../read-for.ts';
import { callerOf, type Parts, refusals, response } from '../route-parts.ts';
import { readListId } from '../wire/query.ts';
import { idParam } from './lists.ts';

export function breakdownRoutes(app: FastifyInstance, parts: Parts): void {
  const { db } = parts.context;
  app.get<{ Params: { id: string } }>(
    '/lists/:id/breakdown',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getBreakdown',
        summary: 'Count a list by reason, detail, provider, flag and domain',
        description:
          'How many addresses have each of them so far. The results that are behind a number are those of `GET /v1/lists/{id}/results` with the same filter.',
        params: idParam,
        response: {
          200: response('Counts of what is checked so far.', ref('Breakdown')),
          ...refusals('list_not_found', 'results_expired'),
        },
      },
    },
    reads<{ Params: { id: string } }>(parts, async (request, reply, reading) => {
      const id = readListId(request.params.id);
      const list = id && (await findList(db, id, callerOf(request).accountId));
      if (!list) return refuse(request, reply, { why: 'list_not_found' });
      if (list.resultsExpiredAtSeconds !== null) return refuse(request, reply, { why: 'results_expired' });
      const counted = countBreakdown();
      await scanList(db, reading, list, ({ size, emails, results }) =>
        counted.add(JSON.parse(emails) as string[], readResults(results, size)),
      );
      const steps = counted.result();
      for (;;) {
        const step = await reading.step(() => steps.next());
        if (step.done) return step.value satisfies WireBreakdown;
      }
    }),
  );
}
