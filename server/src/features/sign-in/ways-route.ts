// GET /session/ways: what the sign-in page offers.
import type { FastifyInstance } from 'fastify';
import { ref } from '../../http/openapi/schemas.ts';
import { openRefusals, openResponse } from '../../http/route-parts.ts';
import type { SignInSettings } from '../../settings/sign-in-settings.ts';
import type { WireSignInWays } from './schemas.ts';

export function waysRoute(app: FastifyInstance, { byKey, byMail, openid }: SignInSettings): void {
  const ways: WireSignInWays = {
    key: byKey,
    mail: byMail,
    openid: openid && { name: openid.name },
  };
  app.get(
    '/session/ways',
    {
      config: { open: true },
      schema: {
        operationId: 'getSignInWays',
        summary: 'Show how browsers can be signed in',
        security: [],
        response: { 200: openResponse('The ways.', ref('SignInWays')), ...openRefusals() },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return ways;
    },
  );
}
