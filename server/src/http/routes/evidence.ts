// GET /lists/{id}/results/{position}/evidence: why one address got its result.

import { explain, parseAddress } from '@mxproof/engine';
import type { FastifyInstance } from 'fastify';
import type { ExportNotes } from '../../flow/note-exports.ts';
import { type FoundEvidence, findEvidence } from '../../flow/read-evidence.ts';
import { READING_KEYS } from '../../rules/key-access.ts';
import { findList } from '../../store/lists.ts';
import { actorOf } from '../actor-of.ts';
import { refuse } from '../errors.ts';
import { ref, type WireEvidence } from '../openapi/schemas.ts';
import { readsOnce } from '../read-for.ts';
import { callerOf, type Parts, refusals, response } from '../route-parts.ts';
import { readListId, readPosition } from '../wire/query.ts';
import { idParam } from './lists.ts';

const FROM = { us: 'client', server: 'server', note: 'note' } as const;

export function evidenceRoutes(app: FastifyInstance, parts: Parts, exports: ExportNotes): void {
  const { context } = parts;
  app.get<{ Params: { id: string; position: string } }>(
    '/lists/:id/results/:position/evidence',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getEvidence',
        summary: 'Show why an address got its result',
        description:
          'What DNS and the mail server answered, and the rule that followed from it. `position` is that of the row in the results, from 0.',
        params: {
          ...idParam,
          properties: {
            ...idParam.properties,
            position: { type: 'integer', minimum: 0, description: 'Place in the list, from 0.' },
          },
        },
        response: {
          200: response('The evidence kept for this address.', ref('Evidence')),
          ...refusals(
            'list_not_found',
            'no_such_position',
            'results_expired',
            'evidence_expired',
            'not_checked_yet',
          ),
        },
      },
    },
    readsOnce<{ Params: { id: string; position: string } }>(parts, async (request, reply) => {
      const id = readListId(request.params.id);
      const list = id && (await findList(context.db, id, callerOf(request).accountId));
      if (!list) return refuse(request, reply, { why: 'list_not_found' });
      const position = readPosition(request.params.position);
      if (position === null || position >= list.total)
        return refuse(request, reply, { why: 'no_such_position' });
      if (list.resultsExpiredAtSeconds !== null) return refuse(request, reply, { why: 'results_expired' });
      const found = await findEvidence(context.db, list.id, position);
      switch (found.kind) {
        case 'pending':
          return refuse(request, reply, { why: 'not_checked_yet' });
        case 'expired':
          return refuse(request, reply, { why: 'evidence_expired' });
        case 'found':
          // A list can be read out this way as well, row by row.
          await exports.note(actorOf(request), list);
          return wireEvidence(position, found);
        default:
          return found satisfies never;
      }
    }),
  );
}

function wireEvidence(
  position: number,
  { email, verdict, evidence, storedAtSeconds }: FoundEvidence & { kind: 'found' },
): WireEvidence {
  const { state, reason, detail, score } = verdict;
  const { attempts, rule, suggestion, dns, host, ip, tls, source, session, dialogue } = evidence;
  const parsed = parseAddress(email);
  return {
    position,
    email,
    state,
    reason,
    detail,
    score,
    checked_at: storedAtSeconds,
    attempts,
    explanation: explain(verdict, evidence),
    rule,
    suggestion,
    dns: dns === null || !parsed.ok ? null : { domain: parsed.address.domain, found: dns },
    host: host === null ? null : { name: host, address: ip, tls, source },
    dialogue: [...session, ...dialogue].map(({ atMs, from, text }) => ({
      at_ms: atMs,
      from: FROM[from],
      text,
    })),
  };
}
