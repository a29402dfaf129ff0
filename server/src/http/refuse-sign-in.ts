// Tells whoever was to be signed in why not: people by a page, programs as every refusal.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refusalResponse, refuse } from './errors.ts';
import { wantsPage } from './not-found.ts';
import { notSignedInPage } from './sign-in-page.ts';

/** `home`: where a browser can begin again. */
export function refuseSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  home = '/',
): FastifyReply {
  if (!wantsPage(request)) return refuse(request, reply, refusal);
  const { status, headers } = refusalResponse(refusal);
  const { policy, page } = notSignedInPage(refusal.why, home);
  reply
    .code(status)
    .headers({ ...headers, 'content-security-policy': policy, 'x-robots-tag': 'noindex' })
    .type('text/html; charset=utf-8')
    .send(page);
  // As in `refuse`: a request that was refused is not carried out.
  return reply.hijack();
}
