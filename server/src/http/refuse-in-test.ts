// Refusals that test keys ask for, by an address or by the name of a list: as the real ones, what they cost included.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TEST_RETRY_AFTER_MS, type TestListRefusal } from '../rules/test-outcome.ts';
import { refuse } from './errors.ts';
import { callerOf, type Parts } from './route-parts.ts';

/** @param credits that the request would need */
export function refuseInTest(
  { gate }: Pick<Parts, 'gate'>,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: TestListRefusal,
  credits: number,
): FastifyReply {
  switch (refusal) {
    case 'insufficient_credits':
      return refuse(request, reply, { why: refusal, needed: credits });
    case 'rate_limited':
      gate.giveBack(callerOf(request), 'requests', 1);
      return refuse(request, reply, { why: refusal, retryAfterMs: TEST_RETRY_AFTER_MS });
    case 'unavailable':
    case 'group_full':
      return refuse(request, reply, { why: refusal });
    default:
      return refusal satisfies never;
  }
}
