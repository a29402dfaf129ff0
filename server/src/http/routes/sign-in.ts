// GET and POST /sign-in/<token>: a one-time link, made by an operator, that signs a browser in.
// Promise: looking at a link does not use it up, since mail programs and chats look at links by themselves; its button
// does, which only a page of this service can press.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { redeemLink } from '../../flow/sign-in.ts';
import { readToken } from '../../rules/bearer-token.ts';
import type { Database } from '../../store/database.ts';
import { findLink } from '../../store/sign-in-links.ts';
import { type Refusal, refusalResponse, refuse } from '../errors.ts';
import { PLAIN_POLICY } from '../plain-page.ts';
import { refusedPage, signInPage } from '../sign-in-page.ts';
import { isSameOrigin } from '../wire/same-origin.ts';
import { readSessionCookie, setSessionCookie } from '../wire/session-cookie.ts';

type Link = { Params: { token: string } };

const options = { config: { open: true }, schema: { hide: true } };

export function signInRoutes(app: FastifyInstance, db: Database): void {
  app.get<Link>('/sign-in/:token', options, async (request, reply) => {
    const hash = readToken(request.params.token);
    const link = hash && (await findLink(db, hash));
    return link ? page(reply, signInPage(link.accountName)) : refuseThem(request, reply, GONE);
  });

  app.post<Link>('/sign-in/:token', options, async (request, reply) => {
    // Or another page could sign its visitor in to an account of its own choice. A form has no header to show.
    if (!isSameOrigin(request)) return refuseThem(request, reply, { why: 'foreign_page' });
    const hash = readToken(request.params.token);
    const token = hash && (await redeemLink(db, hash, readSessionCookie(request)));
    if (!token) return refuseThem(request, reply, GONE);
    setSessionCookie(request, reply, token);
    return reply.redirect('/', 303);
  });
}

const GONE: Refusal = { why: 'link_not_found' };

/** People get a page, programs the usual. */
function refuseThem(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) return refuse(request, reply, refusal);
  const { status, headers } = refusalResponse(refusal);
  return page(reply.code(status).headers(headers), refusedPage(refusal.why === GONE.why));
}

function page(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': PLAIN_POLICY, 'x-robots-tag': 'noindex' })
    .type('text/html; charset=utf-8')
    .send(html);
}
