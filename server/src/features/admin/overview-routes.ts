// GET /admin/v1/overview: the deployment now and lately, from what is stored anyway.
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import type { Parts } from '../../http/route-parts.ts';
import { readQuery } from '../../http/wire/query.ts';
import { adminResponse, queryOf, readRefusals } from './admin-parts.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { readOverview } from './overview.ts';
import type { WireOverview } from './service-schemas.ts';

const overviewQuery = {
  hours: Type.Integer({ minimum: 1, maximum: 168, default: 24, description: 'What "lately" is.' }),
};

export function overviewRoutes(app: FastifyInstance, { context: { db } }: Parts): void {
  /** By hours: at most 168 of them. */
  const readings = new Map<number, () => Promise<WireOverview>>();

  function overviewOf(hours: number): Promise<WireOverview> {
    const read = readings.get(hours) ?? oneAtATime(() => readOverview(db, hours));
    readings.set(hours, read);
    return read();
  }

  app.get(
    '/overview',
    {
      schema: {
        operationId: 'getOverview',
        summary: 'Show how the deployment does',
        querystring: queryOf(overviewQuery),
        response: {
          200: adminResponse('Now, and lately.', ref('Overview')),
          ...readRefusals('bad_overview_hours'),
        },
      },
    },
    async (request, reply) => {
      const query = readQuery(overviewQuery, request.query, { hours: 'bad_overview_hours' });
      return 'why' in query ? refuse(request, reply, query) : overviewOf(query.hours);
    },
  );
}
