// GET /status: what keeps the deployment from checking, whichever nodes check.
// Promise: nothing of other accounts; a database that fails between the key and the answer is said, not refused.
import type { FastifyInstance } from 'fastify';
import { composeStatus, databaseStatus, type NodeHealth } from '../../rules/service-status.ts';
import { isUnavailable } from '../../store/database.ts';
import { readHealth } from '../../store/node-health.ts';
import { inTime } from '../in-time.ts';
import { ref } from '../openapi/schemas.ts';
import type { WireStatus } from '../openapi/status-schema.ts';
import { type Parts, refusals, response } from '../route-parts.ts';

/** A database that is frozen does not even refuse. */
const READ_LIMIT_MS = 3_000;

export function statusRoutes(app: FastifyInstance, { context }: Parts): void {
  let failedSinceMs: number | null = null;

  /** Null: the database does not answer. */
  async function read(): Promise<NodeHealth[] | null> {
    try {
      return await inTime(readHealth(context.db), READ_LIMIT_MS);
    } catch (error) {
      if (isUnavailable(error)) return null;
      throw error;
    }
  }

  app.get(
    '/status',
    {
      schema: {
        operationId: 'getStatus',
        summary: 'Show whether addresses are checked',
        description:
          'What keeps the deployment from checking, as its nodes have last seen it: port 25, DNS, the database, or a mail provider that blocks it.',
        response: { 200: response('Whether addresses are checked.', ref('ServiceStatus')), ...refusals() },
      },
    },
    async () => {
      const nodes = await read();
      failedSinceMs = nodes ? null : (failedSinceMs ?? Date.now());
      const status = nodes ? composeStatus(nodes) : databaseStatus((failedSinceMs ?? 0) / 1_000);
      return { ...status, reasons: [...status.reasons] } satisfies WireStatus;
    },
  );
}
