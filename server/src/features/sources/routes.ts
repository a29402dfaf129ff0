// GET /status: what keeps the deployment from checking, whichever nodes check, and what warm-ups leave of the day.
// Promise: nothing of other accounts; a database that fails between the key and the answer is said, not refused.

import { hasWarmUp } from '@mxproof/engine';
import type { FastifyInstance } from 'fastify';
import { inTime } from '../../http/in-time.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { callerOf, type Parts, refusals, response } from '../../http/route-parts.ts';
import { EVERY_KEY } from '../../rules/key-access.ts';
import { isUnavailable } from '../../store/database.ts';
import { composeStatus, databaseStatus, type NodeHealth } from './service-status.ts';
import type { WireStatus } from './status-schema.ts';
import { liveSources } from './stored-health.ts';
import { readHealth } from './stored-obstacles.ts';
import { readWarmUps } from './stored-warm-ups.ts';
import { fitsToday } from './warm-up.ts';

/** A database that is frozen does not even refuse. */
const READ_LIMIT_MS = 3_000;

export function statusRoutes(app: FastifyInstance, { context, policy }: Parts): void {
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

  /** Undefined: none, or not known in time. */
  async function readWarmUp(): Promise<WireStatus['warm_up']> {
    if (!hasWarmUp(policy)) return undefined;
    try {
      const { db } = context;
      const read = async () => readWarmUps(db, policy, await liveSources(db));
      const warming = await inTime(read(), READ_LIMIT_MS);
      if (warming === null) return undefined;
      const providers = [...fitsToday(warming.places)].map(([provider, left]) => ({ provider, left }));
      return { day_ends_at: warming.dayEndsAt, providers, elsewhere: warming.elsewhere };
    } catch (error) {
      if (isUnavailable(error)) return undefined;
      throw error;
    }
  }

  app.get(
    '/status',
    {
      config: { keys: EVERY_KEY, role: 'viewer' },
      schema: {
        operationId: 'getStatus',
        summary: 'Show whether addresses are checked',
        description:
          'What keeps the deployment from checking, as its nodes have last seen it: port 25, DNS, the database, or a mail provider that blocks it.',
        response: { 200: response('Whether addresses are checked.', ref('ServiceStatus')), ...refusals() },
      },
    },
    async (request) => {
      const nodes = await read();
      failedSinceMs = nodes ? null : (failedSinceMs ?? Date.now());
      const status = nodes ? composeStatus(nodes) : databaseStatus((failedSinceMs ?? 0) / 1_000);
      // Test keys use no network.
      const warmUp = nodes && !callerOf(request).test ? await readWarmUp() : undefined;
      const answer: WireStatus = {
        ...status,
        reasons: [...status.reasons],
        ...(warmUp && { warm_up: warmUp }),
      };
      return answer;
    },
  );
}
