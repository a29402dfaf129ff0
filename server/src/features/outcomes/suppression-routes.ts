// The suppression list: addresses go in and out, and can be asked about, but are never given back.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../../http/actor-of.ts';
import { REQUESTS } from '../../http/body/request-schemas.ts';
import { type ErrorCode, refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { readsOnce } from '../../http/read-for.ts';
import { callerOf, KEYED_BODY, type Parts, refusals, response } from '../../http/route-parts.ts';
import { readBody } from '../../http/take-body.ts';
import type { Actor } from '../../rules/audit.ts';
import { MAX_ADDRESSES } from '../../rules/clean-emails.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { writeAudit } from '../../store/audit.ts';
import { hashAddresses } from './hash-addresses.ts';
import type { WireSuppressions } from './schemas.ts';
import {
  countSuppressed,
  MAX_SUPPRESSED,
  suppress,
  suppressedAmong,
  unsuppress,
} from './stored-suppressions.ts';

const HASHES_AT_ONCE = 10_000;
const COSTS = `At most ${MAX_ADDRESSES} addresses, each of which counts 1 in the addresses window.`;

export function suppressionRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, gate } = parts;
  const { db } = context;

  app.get(
    '/suppressions',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getSuppressions',
        summary: 'Count the suppression list',
        description:
          'Addresses that are better not mailed: of which a mail server said that there is no such mailbox, that complained, or that were added. Of the mode of the key.',
        response: { 200: response('How many are on it, and why.', ref('Suppressions')), ...refusals() },
      },
    },
    readsOnce(parts, async (request) => {
      const { total, bounced, complained, uploaded } = await countSuppressed(db, callerOf(request).accountId);
      return { total, bounced, complained, uploaded } satisfies WireSuppressions;
    }),
  );

  add(
    '',
    {
      operationId: 'addSuppressions',
      summary: 'Add addresses to the suppression list',
      description: `Such as those that unsubscribed. Kept as keyed hashes. ${COSTS}`,
    },
    response('How many were added.', ref('AddedSuppressions')),
    async (accountId, hashes) => {
      const { total } = await countSuppressed(db, accountId);
      if (total + hashes.length > MAX_SUPPRESSED) return 'too_many_suppressions';
      return { added: await inBatches(hashes, (some) => suppress(db, accountId, some)) };
    },
    'too_many_suppressions',
  );

  add(
    '/check',
    {
      operationId: 'checkSuppressions',
      summary: 'Ask which addresses are on the suppression list',
      description: COSTS,
    },
    response('Which are.', ref('CheckedSuppressions')),
    async (accountId, hashes, places) => {
      const known = new Set<string>();
      await inBatches(hashes, async (some) => {
        for (const hash of await suppressedAmong(db, accountId, some)) known.add(hash);
        return 0;
      });
      return { suppressed: places.filter((_, at) => known.has(hashes[at]!.toString('hex'))) };
    },
  );

  add(
    '/remove',
    {
      operationId: 'removeSuppressions',
      summary: 'Take addresses off the suppression list',
      description: `For whatever reason they are on it; what became of mail to them goes on counting. The next bounce or complaint puts them on it again. ${COSTS}`,
    },
    response('How many were taken off.', ref('RemovedSuppressions')),
    async (accountId, hashes, _places, actor) => ({
      removed: await db.transaction(async (tx) => {
        const removed = await inBatches(hashes, (some) => unsuppress(tx, accountId, some));
        const changes = { removed: [null, removed] } as const;
        if (removed > 0) await writeAudit(tx, actor, { action: 'suppressions.removed', accountId, changes });
        return removed;
      }),
    }),
  );

  /** `places`: of each hash, that of its address in the request. */
  function add(
    path: string,
    described: { readonly operationId: string; readonly summary: string; readonly description: string },
    answer: object,
    work: (
      accountId: number,
      hashes: readonly Buffer[],
      places: readonly number[],
      actor: Actor,
    ) => Promise<object | 'too_many_suppressions'>,
    ...codes: ErrorCode[]
  ): void {
    app.post(
      `/suppressions${path}`,
      {
        config: { keys: FULL_KEYS, role: 'member' },
        schema: {
          ...described,
          body: REQUESTS.suppressions,
          response: {
            200: answer,
            ...refusals(
              'emails_required',
              'emails_not_strings',
              'email_too_long',
              'too_many_addresses',
              ...codes,
              ...KEYED_BODY,
            ),
          },
        },
      },
      async (request: FastifyRequest, reply: FastifyReply) => {
        const read = await readBody(parts, request, reply, 'suppressions', { hashed: false });
        if (read.kind === 'refused') return refuse(request, reply, read.refusal);
        const { emails } = read.body;
        const caller = callerOf(request);
        const rate = await gate.takeAddresses(caller, emails.length);
        if (!rate.granted)
          return refuse(request, reply, { why: 'rate_limited', retryAfterMs: rate.retryAfterMs });
        const all = await hashAddresses(context, emails);
        const places = [...all.keys()].filter((place) => all[place] !== null);
        const hashes = all.filter((hash) => hash !== null);
        const done = await work(caller.accountId, hashes, places, actorOf(request));
        return typeof done === 'string' ? refuse(request, reply, { why: done }) : done;
      },
    );
  }
}

/** The sum of what each batch comes to. */
async function inBatches(
  hashes: readonly Buffer[],
  work: (some: readonly Buffer[]) => Promise<number>,
): Promise<number> {
  let sum = 0;
  for (let from = 0; from < hashes.length; from += HASHES_AT_ONCE)
    sum += await work(hashes.slice(from, from + HASHES_AT_ONCE));
  return sum;
}
