// What runs the deployment: nodes, sources, the doctor, the ledger.
import type { FastifyInstance } from 'fastify';

import { ref } from '../../http/openapi/schemas.ts';
import type { Parts } from '../../http/route-parts.ts';
import { writeAudit } from '../../store/audit.ts';
import { keptBackups } from '../../store/backups.ts';
import type { Tx } from '../../store/database.ts';
import { allNodes } from '../../store/nodes.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';
import { readDoctorReports } from '../doctor/stored-reports.ts';
import { restByHand, resumeByHand } from '../sources/rest-by-hand.ts';
import { readSourceHealth } from '../sources/stored-health.ts';
import { adminActor } from './admin-door.ts';
import {
  adminResponse,
  ONCE_HEADERS,
  type OneOf,
  onceRefusals,
  onceResponse,
  readRefusals,
} from './admin-parts.ts';
import { answerOnce } from './answer-once.ts';
import { ADMIN_REQUESTS } from './bodies.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { wireNode } from './wire-node.ts';
import { OWN_SOURCE, wireDoctor, wireSources } from './wire-sources.ts';

const HOUR_SECONDS = 3_600;

const SOURCE_ID = {
  type: 'object',
  properties: { id: { type: 'string', description: 'The address, or `own` for the machine’s own.' } },
} as const;

export function serviceRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, policy } = parts;
  const { db } = context;
  const sources = oneAtATime(() => readSourceHealth(db, policy));
  const doctor = oneAtATime(() => readDoctor(db));
  const ledger = oneAtATime(() => verifyLedger(db));
  const examine = oneAtATime(() => parts.examine());

  app.get(
    '/nodes',
    {
      schema: {
        operationId: 'getNodes',
        summary: 'List the nodes',
        description: 'And those that fell silent within the last hour.',
        response: { 200: adminResponse('All nodes.', ref('NodePage')), ...readRefusals() },
      },
    },
    async () => ({ nodes: (await allNodes(db)).map(wireNode) }),
  );

  app.get(
    '/sources',
    {
      schema: {
        operationId: 'getSources',
        summary: 'Show how the sources fare',
        description: 'Each at each provider that it has asked within a week, or where it rests.',
        response: { 200: adminResponse('The sources.', ref('Sources')), ...readRefusals() },
      },
    },
    async () => wireSources(await sources(), new Date()),
  );

  for (const verb of ['rest', 'resume'] as const) {
    const isRest = verb === 'rest';
    const refusals = onceRefusals(
      'bad_rest_provider',
      ...(isRest ? (['bad_hours'] as const) : []),
      'source_not_found',
    );
    app.post<OneOf>(
      `/sources/:id/${verb}`,
      {
        schema: {
          operationId: isRest ? 'restSource' : 'resumeSource',
          summary: isRest ? 'Ask nothing at a provider from a source' : 'End the rest of a source',
          description: isRest
            ? 'No other source asks instead: recipients wait, and end as unknown if their list ends first.'
            : 'Also of one that refusals began: once the address is off the list that blocked it.',
          headers: ONCE_HEADERS,
          params: SOURCE_ID,
          body: isRest ? ADMIN_REQUESTS.rest : ADMIN_REQUESTS.resume,
          response: {
            200: onceResponse(isRest ? 'It rests.' : 'It is asked from again.', ref('Resting')),
            ...refusals,
          },
        },
      },
      async (request, reply) =>
        answerOnce(parts, request, reply, isRest ? 'rest' : 'resume', async ({ db: tx }, body) => {
          const { id } = request.params as OneOf['Params'];
          const source = id === OWN_SOURCE ? null : id;
          // What was mistyped would rest for nothing. A provider that was not asked yet may rest already.
          if (!(await sources()).some((each) => (each.source || null) === source))
            return { why: 'source_not_found' };
          const place = { source, provider: body.provider };
          const actor = adminActor(request);
          const hours = ('hours' in body ? (body.hours as number | null | undefined) : null) ?? null;
          if (isRest) await restByHand(tx, actor, place, hours === null ? null : hours * HOUR_SECONDS);
          else await resumeByHand(tx, actor, place);
          return { status: 200, body: { resting: isRest } };
        }),
    );
  }

  app.get(
    '/doctor',
    {
      schema: {
        operationId: 'getDoctor',
        summary: 'Show what the doctor found',
        description: 'The latest report on each machine.',
        response: { 200: adminResponse('The reports.', ref('Doctor')), ...readRefusals() },
      },
    },
    () => doctor(),
  );

  app.post(
    '/doctor/run',
    {
      schema: {
        operationId: 'runDoctor',
        summary: 'Run the doctor',
        description:
          'On the machine that answers; within half a minute. Asked meanwhile, it gives the same report.',
        headers: ONCE_HEADERS,
        body: ADMIN_REQUESTS.nothing,
        response: { 200: onceResponse('The reports.', ref('Doctor')), ...onceRefusals('bad_body') },
      },
    },
    async (request, reply) =>
      answerOnce(
        parts,
        request,
        reply,
        'nothing',
        async ({ db: tx }) => {
          await writeAudit(tx, adminActor(request), { action: 'doctor.run', accountId: null });
          return { status: 200, body: await readDoctor(tx) };
        },
        examine,
      ),
  );

  app.get(
    '/ledger/verify',
    {
      schema: {
        operationId: 'verifyLedger',
        summary: 'Recompute every balance and counter',
        description:
          'Reads every list: minutes, where there are millions. Asked meanwhile, it gives the same answer.',
        response: { 200: adminResponse('What differs.', ref('LedgerVerification')), ...readRefusals() },
      },
    },
    () => ledger(),
  );
}

async function readDoctor(tx: Tx) {
  const [reports, backups] = [await readDoctorReports(tx), await keptBackups(tx)];
  return wireDoctor(reports, backups[0]?.madeAt ?? null, new Date());
}
