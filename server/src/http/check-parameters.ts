// Query parameters that a route does not know, and the body of a DELETE, which takes none.
// Promise: a DELETE is carried out only if everything that it says is understood, since what is not might be the undo; on
// other requests an unknown parameter is what an unknown field of the body is.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Refusal, refuse } from './errors.ts';
import type { Parts } from './route-parts.ts';
import { takeNoBody } from './take-body.ts';
import { unknownNames } from './unknown-names.ts';
import { warnOfUnknown } from './warn-of-unknown.ts';

/** Behind the key and the rate windows, before anything is done. */
export function checkParameters(v1: FastifyInstance, parts: Parts): void {
  v1.addHook('preHandler', async (request, reply) => {
    const known = knownParameters(request);
    const names = unknownNames(Object.keys(request.query as object), known);
    const isDeletion = request.method === 'DELETE';
    let refusal: Refusal | null;
    if (!isDeletion) refusal = warnOfUnknown(request, reply, 'unknown_parameter', names);
    else if (names.length > 0) refusal = { why: 'unknown_parameter', names };
    else refusal = await takeNoBody(parts, request, reply);
    if (refusal === null) return;
    const detail = known.length === 0 ? 'no parameter is known here' : `known here: ${known.join(', ')}`;
    return refuse(request, reply, { detail, ...refusal });
  });
}

/** As the route's schema describes them. */
function knownParameters({ routeOptions }: FastifyRequest): string[] {
  const described = routeOptions.schema?.querystring as { readonly properties?: object } | undefined;
  return Object.keys(described?.properties ?? {});
}
