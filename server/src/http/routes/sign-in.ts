// GET and POST /sign-in/<token>: a one-time link, made by an operator, that signs a browser in.
// Promise: looking at a link does not use it up, since mail programs and chats look at links by themselves; its button
// does, which only a page of this service can press.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { redeemLink } from '../../flow/sign-in.ts';
import { readToken } from '../../rules/bearer-token.ts';
import type { Database } from '../../store/database.ts';
import { findLink } from '../../store/sign-in-links.ts';
import { type Refusal, refusalResponse, refuse } from '../errors.ts';
import { wantsPage } from '../not-found.ts';
import { goneLinkPage, SIGN_IN_POLICY, signInPage } from '../sign-in-page.ts';
import { isSameOrigin } from '../wire/same-origin.ts';
import { readSessionOf, setSessionCookie } from '../wire/session-cookie.ts';

type Link = { Params: { token: string } };

const options = { config: { open: true }, schema: { hide: true } };

export function signInRoutes(app: FastifyInstance, db: Database): void {
  app.get<Link>('/sign-in/:token', options, async (request, reply) => {
    const hash = readToken(request.params.token);
    const link = hash && (await findLink(db, hash));
    if (link) return page(reply, signInPage(link.accountName));
    // People get a page, programs the usual.
    if (!wantsPage(request)) return refuse(request, reply, GONE);
    const { status, headers } = refusalResponse(GONE);
    return page(reply.code(status).headers(headers), goneLinkPage());
  });

  app.post<Link>('/sign-in/:token', options, async (request, reply) => {
    // Or another page could sign its visitor in to an account of its own choice.
    if (!isSameOrigin(request)) return refuse(request, reply, { why: 'foreign_page' });
    const hash = readToken(request.params.token);
    const signedIn = hash && (await redeemLink(db, hash, readSessionOf(request)));
    if (!signedIn) return refuse(request, reply, GONE);
    setSessionCookie(request, reply, signedIn.token);
    return { proof: signedIn.proof };
  });
}

const GONE: Refusal = { why: 'link_not_found' };

function page(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': SIGN_IN_POLICY, 'x-robots-tag': 'noindex' })
    .type('text/html; charset=utf-8')
    .send(html);
}
