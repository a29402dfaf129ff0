// GET /suggest: what can be said about an address without DNS or a mail server, for forms.
// Promise: no network, no database beyond the key's, no credit.
import { type DisposableOverrides, inspectAddress } from '@mxproof/engine';
import type { FastifyInstance } from 'fastify';
import { MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';
import { refuse } from '../errors.ts';
import type { WireSuggestion } from '../openapi/account-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { refusals, response } from '../route-parts.ts';
import { readEmail } from '../wire/query.ts';

export function suggestRoutes(app: FastifyInstance, disposable?: DisposableOverrides): void {
  app.get(
    '/suggest',
    {
      schema: {
        operationId: 'suggest',
        summary: 'Look at an address without checking it',
        description:
          'For sign-up forms: syntax, a likelier spelling of the domain, and the lists of roles, free providers and disposable domains. No mail server is asked and nothing is charged. A check sets the same flags, whatever its state, with one exception: a domain that is on only one of the two lists of disposable domains is not `disposable` in a check that finds a large provider receiving its mail.',
        querystring: {
          type: 'object',
          properties: { email: { type: 'string', minLength: 1, maxLength: MAX_EMAIL_CHARACTERS } },
          required: ['email'],
        },
        response: {
          200: response('What the address looks like.', ref('Suggestion')),
          ...refusals('email_required', 'email_too_long'),
        },
      },
    },
    async (request, reply) => {
      const email = readEmail(request.query as Record<string, unknown>);
      if (typeof email === 'object') return refuse(request, reply, email);
      return { email, ...inspectAddress(email, disposable) } satisfies WireSuggestion;
    },
  );
}
