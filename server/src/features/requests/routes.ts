// GET /requests: what an integrator asks support for.
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { readsOnce, sendEntries } from '../../http/read-for.ts';
import { callerOf, mayManage, type Parts, refusals, response } from '../../http/route-parts.ts';
import { pageQuery } from '../../http/routes/lists.ts';
import { readQuery } from '../../http/wire/query.ts';
import { READING_KEYS } from '../../rules/key-access.ts';
import { keepRequests } from './keep-requests.ts';
import type { WireRequest } from './schemas.ts';
import { KEPT_DAYS, MAX_KEPT, requestsOf, type StoredRequest } from './stored-requests.ts';

const UUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';

const requestsQuery = {
  ...pageQuery,
  id: Type.Optional(
    Type.String({ format: 'uuid', pattern: UUID, description: 'Only this request: its `X-Request-Id`.' }),
  ),
  status: Type.Optional(
    Type.Integer({ minimum: 200, maximum: 599, description: 'Only requests answered with this status.' }),
  ),
  since: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only requests that came at this time or later: Unix seconds.' }),
  ),
};
const CODES = { id: 'bad_request_id', status: 'bad_http_status' } as const;

export function requestRoutes(app: FastifyInstance, parts: Parts): void {
  const { db } = parts.context;
  keepRequests(app, db);

  app.get(
    '/requests',
    {
      config: { keys: READING_KEYS, role: 'owner' },
      schema: {
        operationId: 'getRequests',
        summary: 'List what was changed and refused, newest first',
        description: `Requests of the last ${KEPT_DAYS} days that changed something or were refused, at most ${MAX_KEPT}; each is there a second or two after its answer. Not in it: a 401, and a 429 after the first of a key in each minute. A query, a body or an e-mail address is never kept. A test key sees requests of test keys, a live key those of live ones.`,
        querystring: { type: 'object', properties: requestsQuery },
        response: {
          200: response('A page of requests.', ref('RequestPage')),
          ...refusals(
            'may_not_manage',
            'bad_offset',
            'bad_limit',
            'bad_request_id',
            'bad_http_status',
            'bad_since',
          ),
        },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const query = readQuery(requestsQuery, request.query, CODES);
      if ('why' in query) return refuse(request, reply, query);
      const found = await requestsOf(db, { accountId: callerOf(request).accountId, ...query });
      return sendEntries(reply, 'requests', found, wireRequest);
    }),
  );
}

function wireRequest({ atSeconds, durationMs, keyId, ...request }: StoredRequest): WireRequest {
  const { id, method, route, status, error, client } = request;
  return {
    id,
    at: atSeconds,
    method,
    route,
    status,
    error,
    duration_ms: durationMs,
    key_id: keyId,
    client,
  };
}
