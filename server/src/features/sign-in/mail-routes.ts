// POST /sign-in/mail has a link mailed to a person who belongs to an account; GET and POST /sign-in/mail/<token> are that link.
// Promise: the answer is the same, and equally fast, for every mailbox; opening a link does not use it up.
import type { FastifyInstance } from 'fastify';
import { REQUESTS } from '../../http/body/request-schemas.ts';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { openRefusals, openResponse, type Parts, READ_BODY, WARNING } from '../../http/route-parts.ts';
import { type LinkKind, linkRoutes } from '../../http/routes/sign-in.ts';
import { plainHeaded, SIGN_IN_PAGES } from '../../http/sign-in-page.ts';
import { readBody } from '../../http/take-body.ts';
import { escapeHtml } from '../../http/wire/escape-html.ts';
import { isSameOrigin } from '../../http/wire/same-origin.ts';
import { ACCOUNT_SESSION } from '../../http/wire/session-cookie.ts';
import { findMailedLink } from '../../store/mailed-links.ts';
import { enterByMail } from './enter-account.ts';
import { createMailRequests } from './mail-requests.ts';

const MAILED_LINK: LinkKind = {
  path: '/sign-in/mail/:token',
  session: ACCOUNT_SESSION,
  policy: SIGN_IN_PAGES.policy,
  gone: plainHeaded(
    'This link no longer works',
    `<p>A sign-in link works once, within 15 minutes: this one was used, or is too old.</p>
<p><a href="/">Open the console</a> and ask for another, if this browser is not signed in.</p>`,
  ),
  async page(db, hash) {
    const email = await findMailedLink(db, hash);
    return (
      email && SIGN_IN_PAGES.page('Sign in to MXProof', `<p>As <strong>${escapeHtml(email)}</strong></p>`)
    );
  },
  redeem: enterByMail,
};

/** Tries are counted (http/limit-sign-ins.ts). */
export function mailSignInRoutes(app: FastifyInstance, parts: Parts): void {
  const { db } = parts.context;
  const requests = createMailRequests(db, app.log);
  app.addHook('onClose', () => requests.settled());
  linkRoutes(app, db, MAILED_LINK);

  app.post(
    '/sign-in/mail',
    {
      config: { open: true },
      schema: {
        operationId: 'mailSignInLink',
        summary: 'Mail a sign-in link',
        description:
          'Mails a sign-in link to this mailbox if it belongs to a member. The answer is the same whether or not it does. Limited per client address and per mailbox.',
        security: [],
        body: REQUESTS.mailSignIn,
        response: {
          202: openResponse(
            'A link is on its way, if this mailbox belongs to a member.',
            ref('LinkAsked'),
            WARNING,
          ),
          ...openRefusals(
            'email_required',
            'email_too_long',
            'foreign_page',
            'sign_in_not_set_up',
            'rate_limited',
            ...READ_BODY,
          ),
        },
      },
    },
    async (request, reply) => {
      if (request.headers.origin !== undefined && !isSameOrigin(request))
        return refuse(request, reply, { why: 'foreign_page' });
      if (!parts.signIn.byMail) return refuse(request, reply, { why: 'sign_in_not_set_up' });
      const read = await readBody(parts, request, reply, 'mailSignIn', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      requests.add(read.body.email);
      return reply.code(202).send({});
    },
  );
}
