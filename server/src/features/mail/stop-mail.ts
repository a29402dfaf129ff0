// GET and POST /stop-mail/<token>: the reader of a mailbox stops the mail to it without signing in (RFC 8058).
// Promise: looking at the link stops nothing, since mail programs look at links by themselves; a page says neither whose mailbox it is
// nor of which account.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refusalResponse, refuse } from '../../http/errors.ts';
import { limitSignIns } from '../../http/limit-sign-ins.ts';
import { PLAIN_POLICY, plainPage } from '../../http/plain-page.ts';
import type { Door, Parts } from '../../http/route-parts.ts';
import { isStopToken, stopMail } from './stored-mail.ts';

type Asked = { Params: { token: string } };

const PATH = '/stop-mail/:token';
const OPEN = { config: { open: true }, schema: { hide: true } };
const TOKEN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const POLICY = PLAIN_POLICY.replace("form-action 'none'", "form-action 'self'");
const GONE: Refusal = { why: 'not_found' };

const pageOf = (heading: string, body: string) =>
  plainPage({ title: 'MXProof', body: `<h1>${heading}</h1>\n${body}` });

const ASK_PAGE = pageOf(
  'Stop these mails?',
  `<p>This service then sends no mail about lists, credits and webhook endpoints to your address.</p>
<form method="post"><p><button autofocus>Stop these mails</button></p></form>`,
);
const STOPPED_PAGE = pageOf(
  'You get no more of these mails',
  '<p class="soft">To get them again, members choose them in the console; others ask the operator of this service.</p>',
);
const GONE_PAGE = pageOf(
  'This link no longer works',
  '<p>No mail is sent to the address that it was for.</p>',
);

export async function stopMailRoutes(app: FastifyInstance, { context: { db } }: Parts, door: Door) {
  await app.register(async (browser) => {
    limitSignIns(browser, db, door.ready, door.admitLimitMs);

    browser.get<Asked>(PATH, OPEN, async (request, reply) => {
      const { token } = request.params;
      if (TOKEN.test(token) && (await isStopToken(db, token))) return page(reply, ASK_PAGE);
      return gone(request, reply);
    });

    // From wherever it comes: mail programs send it, and the token is all that it takes. What it sends besides is not read.
    browser.post<Asked>(PATH, OPEN, async (request, reply) => {
      const { token } = request.params;
      if (!TOKEN.test(token) || !(await stopMail(db, token))) return gone(request, reply);
      return page(reply, STOPPED_PAGE);
    });
  });
}

/** Who presses the button of a page that has become old reads a page, too. */
function gone(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) return refuse(request, reply, GONE);
  const { status, headers } = refusalResponse(GONE);
  return page(reply.code(status).headers(headers), GONE_PAGE);
}

function page(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': POLICY, 'x-robots-tag': 'noindex' })
    .type('text/html; charset=utf-8')
    .send(html);
}
