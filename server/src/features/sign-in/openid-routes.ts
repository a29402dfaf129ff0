// GET /sign-in/openid leads a browser to the provider, GET /sign-in/openid/callback is where it comes back, and the page that it then
// has begins the session with POST /sign-in/openid/<token>; to the operator's pages from /operator/sign-in/openid.
// Promise: a browser ends only what it began itself, once; nothing in a request says where it goes afterwards; whatever fails is one
// sentence on a page that says what to do.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SessionSecrets } from '../../flow/sign-in.ts';
import { cameFrom } from '../../http/actor-of.ts';
import { refuse } from '../../http/errors.ts';
import { refuseSignIn } from '../../http/refuse-sign-in.ts';
import type { Parts } from '../../http/route-parts.ts';
import { JOIN_PATH } from '../../http/routes/invitation.ts';
import { signInPages } from '../../http/sign-in-page.ts';
import { isSameOrigin } from '../../http/wire/same-origin.ts';
import {
  ACCOUNT_SESSION,
  type CookieKind,
  clearSessionCookie,
  cookieOf,
  readSessionOf,
  type SessionKind,
  setSessionCookie,
} from '../../http/wire/session-cookie.ts';
import type { CameFrom } from '../../rules/audit.ts';
import { makeToken, readToken, TOKEN_RANDOM_BYTES } from '../../rules/bearer-token.ts';
import type { Database } from '../../store/database.ts';
import { OPERATOR_HOME, OPERATOR_SESSION } from '../operator/sign-in-link.ts';
import { enterByProvider } from './enter-account.ts';
import { enterAsOperator } from './enter-operator.ts';
import type { Provider } from './openid-provider.ts';
import { FLOW_MINUTES, insertFlow, noteProved, takeFlow } from './stored-flows.ts';

/** Which browser began it. It has to come when the provider's page leads back. */
const FLOW_COOKIE: CookieKind = {
  cookie: 'mxproof_sign_in',
  maxAgeSeconds: FLOW_MINUTES * 60,
  isLax: true,
};

type Token = { Params: { token: string } };

/** What differs between accounts and the operator's pages. */
interface Entrance {
  readonly forOperators: boolean;
  readonly path: string;
  readonly home: string;
  readonly session: SessionKind;
  readonly pages: ReturnType<typeof signInPages>;
  enter(
    db: Database,
    from: CameFrom,
    browser: { readonly browserHash: Buffer; readonly pageHash: Buffer },
    before: Buffer | null,
  ): Promise<SessionSecrets | 'not_invited' | 'not_an_operator' | null>;
}

/** A person has just proved who they are. */
const PRESS = "document.querySelector('button').click();";

const ACCOUNTS: Entrance = {
  forOperators: false,
  path: '/sign-in/openid',
  home: '/',
  session: ACCOUNT_SESSION,
  pages: signInPages(ACCOUNT_SESSION, '/', PRESS),
  enter: enterByProvider,
};

const OPERATORS: Entrance = {
  forOperators: true,
  path: '/operator/sign-in/openid',
  home: OPERATOR_HOME,
  session: OPERATOR_SESSION,
  pages: signInPages(OPERATOR_SESSION, OPERATOR_HOME, PRESS),
  enter: enterAsOperator,
};

// Looking at these is using them.
const options = { config: { open: true }, schema: { hide: true }, exposeHeadRoute: false };

/** Tries are counted (http/limit-sign-ins.ts). `provider`: null: none is set up. */
export function openIdRoutes(app: FastifyInstance, parts: Parts, provider: Provider | null): void {
  const { db } = parts.context;
  /** Of the name of the service under which the provider knows it. */
  const at = (path: string) => `${parts.publicUrl ?? ''}${path}`;

  for (const entrance of [ACCOUNTS, OPERATORS]) {
    app.get<{ Querystring: { invitation?: unknown } }>(entrance.path, options, async (request, reply) => {
      if (!provider) return refuseSignIn(request, reply, { why: 'sign_in_not_set_up' }, at(entrance.home));
      const { invitation } = request.query;
      const invitationHash = typeof invitation === 'string' ? readToken(invitation) : null;
      // Or another page could have its visitor join an account of its own choice without a word: the invitation's page asks first.
      if (invitationHash && request.headers['sec-fetch-site'] !== 'same-origin')
        return reply.redirect(`${JOIN_PATH}/${invitation}`, 302);
      const [state, browser] = [newToken(), newToken()];
      const flow = { nonce: newToken().token, verifier: newToken().token };
      const url = await provider.begin({ state: state.token, ...flow });
      if ('refusal' in url) {
        request.log.warn({ reason: url.reason }, 'the sign-in provider cannot be used');
        return refuseSignIn(request, reply, { why: url.refusal }, at(entrance.home));
      }
      const { forOperators } = entrance;
      const keys = { stateHash: state.hash, browserHash: browser.hash };
      await db.transaction((tx) => insertFlow(tx, { ...keys, ...flow, invitationHash, forOperators }));
      setSessionCookie(request, reply, browser.token, FLOW_COOKIE);
      return reply.redirect(url.href, 302);
    });

    app.post<Token>(`${entrance.path}/:token`, options, async (request, reply) => {
      // Or another page could sign its visitor in to an account of its own choice.
      if (!isSameOrigin(request)) return refuse(request, reply, { why: 'foreign_page' });
      const pageHash = readToken(request.params.token);
      const browserHash = readToken(cookieOf(request, FLOW_COOKIE) ?? '');
      const before = readSessionOf(request, entrance.session);
      const entered =
        pageHash && browserHash
          ? await entrance.enter(db, cameFrom(request), { pageHash, browserHash }, before)
          : null;
      if (entered === null) return refuse(request, reply, { why: 'sign_in_expired' });
      clearSessionCookie(request, reply, FLOW_COOKIE);
      if (typeof entered === 'string') return refuse(request, reply, { why: entered });
      setSessionCookie(request, reply, entered.token, entrance.session);
      return { proof: entered.proof };
    });
  }

  app.get('/sign-in/openid/callback', options, async (request, reply) => {
    if (!provider) return refuseSignIn(request, reply, { why: 'sign_in_not_set_up' }, at('/'));
    const query = request.url.split('?').slice(1).join('?');
    const [state = '', ...others] = new URLSearchParams(query).getAll('state');
    const stateHash = others.length === 0 ? readToken(state) : null;
    const browserHash = readToken(cookieOf(request, FLOW_COOKIE) ?? '');
    const flow = stateHash && browserHash && (await takeFlow(db, { stateHash, browserHash }));
    if (!flow) return refuseSignIn(request, reply, { why: 'sign_in_expired' }, at('/'));
    const { path, home, pages } = flow.forOperators ? OPERATORS : ACCOUNTS;
    const proved = await provider.prove(query, { state, ...flow });
    if ('refusal' in proved) {
      request.log.warn({ reason: proved.reason }, 'a sign-in at the provider was refused');
      return refuseSignIn(request, reply, { why: proved.refusal }, at(home));
    }
    const { token, hash: pageHash } = newToken();
    await noteProved(db, stateHash, { pageHash, proved });
    return sendPage(reply, pages.policy, pages.ownPage(`${path}/${token}`));
  });
}

const newToken = () => makeToken(randomBytes(TOKEN_RANDOM_BYTES));

function sendPage(reply: FastifyReply, policy: string, html: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': policy, 'x-robots-tag': 'noindex' })
    .type('text/html; charset=utf-8')
    .send(html);
}
