// GET and POST /reply: what a mail server's reply means, for one reply, or for each recipient of a log or a bounce.
// Promise: no network, no database beyond the key's, no credit; nothing of the text is stored, logged or sent back; a log or a
// bounce is read in a thread of its own (body-pool.ts), so that no other request waits for it.

import { reportReply } from '@mxproof/engine';
import type { FastifyInstance } from 'fastify';
import { READING_KEYS } from '../../rules/key-access.ts';
import { MAX_REPLY_TEXT_BYTES } from '../body/read-by-hand.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { refuse } from '../errors.ts';
import type { WireRecipientReply, WireReply } from '../openapi/reply-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { KEYED_BODY, type Parts, refusals, response } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { MAX_REPLY_CHARACTERS, readReplyQuery } from '../wire/query.ts';

/** JSON may escape each byte in six; the rest is its name and quotes. */
const MAX_ESCAPED_BYTES = 6 * MAX_REPLY_TEXT_BYTES + 1_024;

export function replyRoutes(app: FastifyInstance, parts: Parts): void {
  app.get(
    '/reply',
    {
      config: { keys: READING_KEYS, role: 'viewer', whileSuspended: false },
      schema: {
        operationId: 'readReply',
        summary: 'Read one reply of a mail server',
        description:
          'What the reply means for the recipient, and what to do. Read as a reply to RCPT unless it says otherwise, such as `(in reply to MAIL FROM command)`. No mail server is asked and nothing is charged. Proxies may log the addresses of a query: post a text that has any.',
        querystring: {
          type: 'object',
          properties: {
            code: {
              type: 'string',
              pattern: '^([2-5][0-9]{2})?$',
              description: 'The reply code. May be left out if `text` begins with it.',
              examples: ['550'],
            },
            text: {
              type: 'string',
              maxLength: MAX_REPLY_CHARACTERS,
              description: 'What the server said. May be left out if it gave only a code.',
              examples: ['5.1.1 User unknown'],
            },
          },
        },
        response: {
          200: response('What it means.', ref('Reply')),
          ...refusals('bad_code', 'text_required', 'text_too_long'),
        },
      },
    },
    async (request, reply) => {
      const said = readReplyQuery(request.query as Record<string, unknown>);
      if (typeof said === 'object') return refuse(request, reply, said);
      return reportReply(said) satisfies WireReply;
    },
  );

  app.post(
    '/reply',
    {
      config: { keys: READING_KEYS, role: 'member' },
      schema: {
        operationId: 'readBounce',
        summary: 'Read a log or a bounce message',
        description:
          'Finds what mail servers answered in a reply, in lines of a log (Postfix, Exim, Sendmail, qmail, OpenSMTPD, PowerMTA, KumoMTA) or in a whole bounce message with its header and parts: one answer for each recipient, in the order of their first appearance, at most 1000. Recipients are counted, never named. No mail server is asked, nothing is charged, and the text is not kept.',
        body: REQUESTS.reply,
        response: {
          200: response('What each means; empty if the text quotes no reply.', ref('Replies')),
          ...refusals('text_required', 'text_too_large', ...KEYED_BODY),
        },
      },
    },
    async (request, reply) => {
      const read = await readBody(parts, request, reply, 'reply', {
        hashed: false,
        maxBytes: MAX_ESCAPED_BYTES,
      });
      if (read.kind === 'refused')
        return refuse(
          request,
          reply,
          read.refusal.why === 'too_large' ? { why: 'text_too_large' } : read.refusal,
        );
      const replies = read.body.replies.map((report, position) => ({ position, ...report }));
      return { replies: replies satisfies WireRecipientReply[] };
    },
  );
}
