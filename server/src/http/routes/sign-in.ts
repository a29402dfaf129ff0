// GET and POST /sign-in/<token>: a one-time link, made by an operator, that signs a browser in.
// Promise: looking at a link does not use it up, since mail programs and chats look at links by themselves; its button
// does, which only a page of this service can press.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { redeemLink, type SessionSecrets } from '../../flow/sign-in.ts';
import type { CameFrom } from '../../rules/audit.ts';
import { readToken } from '../../rules/bearer-token.ts';
import type { Database } from '../../store/database.ts';
import { findLink } from '../../store/sign-in-links.ts';
import { cameFrom } from '../actor-of.ts';
import { type Refusal, refusalResponse, refuse } from '../errors.ts';
import { wantsPage } from '../not-found.ts';
import { goneLinkPage, SIGN_IN_POLICY, signInPage } from '../sign-in-page.ts';
import { isSameOrigin } from '../wire/same-origin.ts';
import {
  ACCOUNT_SESSION,
  readSessionOf,
  type SessionKind,
  setSessionCookie,
} from '../wire/session-cookie.ts';

type Link = { Params: { token: string }; Querystring: { as?: unknown } };

const options = { config: { open: true }, schema: { hide: true } };

/** What differs between links that sign in to different things. */
export interface LinkKind {
  readonly path: string;
  readonly session: SessionKind;
  readonly policy: string;
  readonly gone: string;
  /** Its page; null: unknown, too old or redeemed. */
  page(db: Database, hash: Buffer): Promise<string | null>;
  redeem(
    db: Database,
    from: CameFrom,
    hash: Buffer,
    /** The session that the browser had; `asPerson`: the person who is signed in there asks as themselves. */
    had: { readonly before: Buffer | null; readonly asPerson: boolean },
  ): Promise<SessionSecrets | 'not_invited' | null>;
}

const ACCOUNT_LINK: LinkKind = {
  path: '/sign-in/:token',
  session: ACCOUNT_SESSION,
  policy: SIGN_IN_POLICY,
  gone: goneLinkPage(),
  async page(db, hash) {
    const link = await findLink(db, hash);
    return link && signInPage(link.accountName);
  },
  redeem: redeemLink,
};

export function signInRoutes(app: FastifyInstance, db: Database): void {
  linkRoutes(app, db, ACCOUNT_LINK);
}

export function linkRoutes(app: FastifyInstance, db: Database, kind: LinkKind): void {
  app.get<Link>(kind.path, options, async (request, reply) => {
    const hash = readToken(request.params.token);
    const found = hash && (await kind.page(db, hash));
    if (found) return page(reply, kind, found);
    // People get a page, programs the usual.
    if (!wantsPage(request)) return refuse(request, reply, GONE);
    const { status, headers } = refusalResponse(GONE);
    return page(reply.code(status).headers(headers), kind, kind.gone);
  });

  app.post<Link>(kind.path, options, async (request, reply) => {
    // Or another page could sign its visitor in to an account of its own choice.
    if (!isSameOrigin(request)) return refuse(request, reply, { why: 'foreign_page' });
    const hash = readToken(request.params.token);
    const had = { before: readSessionOf(request, kind.session), asPerson: request.query.as === 'person' };
    const signedIn = hash && (await kind.redeem(db, cameFrom(request), hash, had));
    if (!signedIn) return refuse(request, reply, GONE);
    if (typeof signedIn === 'string') return refuse(request, reply, { why: signedIn });
    setSessionCookie(request, reply, signedIn.token, kind.session);
    return { proof: signedIn.proof };
  });
}

const GONE: Refusal = { why: 'link_not_found' };

function page(reply: FastifyReply, { policy }: LinkKind, html: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': policy, 'x-robots-tag': 'noindex' })
    .type('text/html; charset=utf-8')
    .send(html);
}
