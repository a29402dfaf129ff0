// GET /account: the balance.
import type { FastifyInstance } from 'fastify';
import { findAccount } from '../../store/accounts.ts';
import { ref, type WireAccount } from '../openapi/schemas.ts';
import { callerOf, type Parts, refusals, response } from '../route-parts.ts';

export function accountRoutes(app: FastifyInstance, { context }: Parts): void {
  app.get(
    '/account',
    {
      schema: {
        operationId: 'getAccount',
        summary: 'Show the balance',
        response: { 200: response('The account of the key.', ref('Account')), ...refusals() },
      },
    },
    async (request): Promise<WireAccount> => {
      const account = await findAccount(context.db, callerOf(request).accountId);
      if (!account) throw new Error('a key belongs to no account');
      const { name, credits, used, lists } = account;
      return { name, credits, credits_used: used, lists };
    },
  );
}
