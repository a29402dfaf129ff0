// GET /account/history and /account/usage: what happened to the balance, entry by entry and day by day.
import type { FastifyInstance } from 'fastify';
import { ledgerNote } from '../../rules/ledger-note.ts';
import { type Entry, historyOf } from '../../store/history.ts';
import { usageOf } from '../../store/usage.ts';
import { refuse } from '../errors.ts';
import type { WireEntry, WireUsageDay } from '../openapi/account-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { readsOnce, sendEntries } from '../read-for.ts';
import { callerOf, type Parts, refusals, response } from '../route-parts.ts';
import { DEFAULT_USAGE_DAYS, MAX_USAGE_DAYS, readHistoryQuery, readUsageDays } from '../wire/query.ts';
import { pageQuery } from './lists.ts';

export function historyRoutes(app: FastifyInstance, parts: Parts): void {
  const { context } = parts;
  app.get(
    '/account/history',
    {
      schema: {
        operationId: 'getHistory',
        summary: 'List what changed the balance, newest first',
        description: 'Entries are never changed or removed, also when their list is deleted.',
        querystring: {
          type: 'object',
          properties: { ...pageQuery, kind: { type: 'string', enum: ['grant', 'charge', 'refund'] } },
        },
        response: {
          200: response('A page of entries.', ref('History')),
          ...refusals('bad_offset', 'bad_limit', 'bad_kind'),
        },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const query = readHistoryQuery(request.query as Record<string, unknown>);
      if ('why' in query) return refuse(request, reply, query);
      const entries = await historyOf(context.db, { accountId: callerOf(request).accountId, ...query });
      return sendEntries(reply, 'entries', entries, wireEntry);
    }),
  );

  app.get(
    '/account/usage',
    {
      schema: {
        operationId: 'getUsage',
        summary: 'Show charges, refunds and results by day',
        description:
          'Days in UTC, the oldest first and today last, days without anything included. Results count on the day on which their list finished or was deleted, and stay when it is deleted.',
        querystring: {
          type: 'object',
          properties: {
            days: { type: 'integer', minimum: 1, maximum: MAX_USAGE_DAYS, default: DEFAULT_USAGE_DAYS },
          },
        },
        response: { 200: response('One entry per day.', ref('Usage')), ...refusals('bad_days') },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const days = readUsageDays(request.query as Record<string, unknown>);
      if (days === null) return refuse(request, reply, { why: 'bad_days' });
      return {
        days: (await usageOf(context.db, callerOf(request).accountId, days)) satisfies WireUsageDay[],
      };
    }),
  );
}

function wireEntry(entry: Entry): WireEntry {
  const { id, kind, amount, balance, listId, list } = entry;
  const single = list?.single ?? null;
  return {
    id,
    at: entry.atSeconds,
    kind,
    credits: kind === 'charge' ? -amount : amount,
    balance,
    list_id: listId,
    list_name: list?.name ?? null,
    single,
    note: ledgerNote({ ...entry, single }),
  };
}
