// GET and POST /suggest: what can be said about an address without DNS or a mail server, for forms.
// Promise: no network, no database beyond the key's, no credit.
import { type DisposableOverrides, inspectAddress } from '@mxproof/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';
import { EVERY_KEY } from '../../rules/key-access.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { refuse } from '../errors.ts';
import type { WireSuggestion } from '../openapi/account-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { KEYED_BODY, type Parts, refusals, response } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { warn } from '../warn-of-unknown.ts';
import { readEmail } from '../wire/query.ts';

/** HTML forms and libraries write a blank of a query as `+`, so that a `+` that is not encoded is read as a blank. */
const PLUS = 'a + in a query is read as a blank: send it as %2B, or post the address';

export function suggestRoutes(app: FastifyInstance, parts: Parts, disposable?: DisposableOverrides): void {
  const inspect = (email: string): WireSuggestion => ({ email, ...inspectAddress(email, disposable) });
  const answer = response('What the address looks like.', ref('Suggestion'));

  app.get(
    '/suggest',
    {
      config: { keys: EVERY_KEY, role: 'viewer', whileSuspended: false },
      schema: {
        operationId: 'suggest',
        summary: 'Look at an address without checking it',
        description:
          'For sign-up forms: syntax, a likelier spelling of the domain, and the lists of roles, free providers and disposable domains. No mail server is asked and nothing is charged. A check sets the same flags, whatever its state, with one exception: a domain that is on only one of the two lists of disposable domains is not `disposable` in a check that finds a large provider receiving its mail. Encode a `+` as `%2B`; for one that is not, `MXProof-Warning` says so.',
        querystring: {
          type: 'object',
          properties: { email: { type: 'string', minLength: 1, maxLength: MAX_EMAIL_CHARACTERS } },
          required: ['email'],
        },
        response: { 200: answer, ...refusals('email_required', 'email_too_long') },
      },
    },
    async (request, reply) => {
      const email = readEmail(request.query as Record<string, unknown>);
      if (typeof email === 'object') return refuse(request, reply, email);
      warnOfPlus(request, reply);
      return inspect(email);
    },
  );

  app.post(
    '/suggest',
    {
      config: { keys: EVERY_KEY, role: 'member' },
      schema: {
        operationId: 'suggestFor',
        summary: 'Look at an address, posted',
        description: 'As `GET /v1/suggest`; the address is in no URL, which proxies log.',
        body: REQUESTS.suggest,
        response: { 200: answer, ...refusals('email_required', 'email_too_long', ...KEYED_BODY) },
      },
    },
    async (request, reply) => {
      const read = await readBody(parts, request, reply, 'suggest', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      return inspect(read.body.email);
    },
  );
}

function warnOfPlus({ url }: FastifyRequest, reply: FastifyReply): void {
  const given = /[?&]email=([^&]*)/.exec(url)?.[1] ?? '';
  if (given.includes('+')) warn(reply, PLUS);
}
