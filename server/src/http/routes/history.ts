// GET /account/history and /account/usage: what happened to the balance, entry by entry and day by day.

import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { READING_KEYS } from '../../rules/key-access.ts';
import { ledgerNote } from '../../rules/ledger-note.ts';
import { type Entry, type EntryKind, historyOf } from '../../store/history.ts';
import { usageOf } from '../../store/usage.ts';
import { refuse } from '../errors.ts';
import type { WireEntry, WireUsageDay } from '../openapi/account-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { readsOnce, sendEntries } from '../read-for.ts';
import { callerOf, type Parts, refusals, response } from '../route-parts.ts';
import { readQuery, word } from '../wire/query.ts';
import { pageQuery } from './lists.ts';

const historyQuery = { ...pageQuery, kind: Type.Optional(word<EntryKind>(['grant', 'charge', 'refund'])) };
const usageQuery = { days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }) };

export function historyRoutes(app: FastifyInstance, parts: Parts): void {
  const { context } = parts;
  app.get(
    '/account/history',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getHistory',
        summary: 'List what changed the balance, newest first',
        description: 'Entries are never changed or removed, also when their list is deleted.',
        querystring: { type: 'object', properties: historyQuery },
        response: {
          200: response('A page of entries.', ref('History')),
          ...refusals('bad_offset', 'bad_limit', 'bad_kind'),
        },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const query = readQuery(historyQuery, request.query);
      if ('why' in query) return refuse(request, reply, query);
      const entries = await historyOf(context.db, { accountId: callerOf(request).accountId, ...query });
      return sendEntries(reply, 'entries', entries, wireEntry);
    }),
  );

  app.get(
    '/account/usage',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getUsage',
        summary: 'Show charges, refunds and results by day',
        description:
          'Days in UTC, the oldest first and today last, days without anything included. Results count on the day on which their list finished or was deleted, and stay when it is deleted.',
        querystring: { type: 'object', properties: usageQuery },
        response: { 200: response('One entry per day.', ref('Usage')), ...refusals('bad_days') },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const query = readQuery(usageQuery, request.query);
      if ('why' in query) return refuse(request, reply, query);
      return {
        days: (await usageOf(context.db, callerOf(request).accountId, query.days)) satisfies WireUsageDay[],
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
