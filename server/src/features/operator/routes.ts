// /operator/api: what the operator's own pages show and do. Promise: nothing but an operator's session is admitted, whatever
// else the request presents; nothing here reads or changes what belongs to an account.
import { PROVIDER_WORDS } from '@mxproof/engine';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cameFrom } from '../../http/actor-of.ts';
import { refuse } from '../../http/errors.ts';
import { inTime } from '../../http/in-time.ts';
import { limitSignIns } from '../../http/limit-sign-ins.ts';
import type { Door } from '../../http/route-parts.ts';
import { linkRoutes } from '../../http/routes/sign-in.ts';
import { isForeign } from '../../http/wire/same-origin.ts';
import { clearSessionCookie, readSessionOf } from '../../http/wire/session-cookie.ts';
import type { Actor } from '../../rules/audit.ts';
import { batched } from '../../store/batched.ts';
import type { Database } from '../../store/database.ts';
import type { SourceHealth } from '../sources/source-health.ts';
import { operatorFrom, signOperatorOut } from './sign-in.ts';
import { OPERATOR_LINK, OPERATOR_SESSION } from './sign-in-link.ts';
import { findOperatorSessions, type OperatorSession } from './stored-sign-ins.ts';
import { type MachineReport, wireDoctor, wireSources } from './wire-operator.ts';

/** How many requests share one look-up of sessions. */
const ASKED_AT_ONCE = 100;
const MAX_SOURCE_CHARACTERS = 255;
const MAX_REST_HOURS = 24 * 365;

/** What the pages rest on. */
export interface OperatorSide {
  /** Every source at every provider of which something is known. */
  sources(): Promise<readonly SourceHealth[]>;
  /** The latest of each machine. */
  doctor(): Promise<readonly MachineReport[]>;
  /** When the newest was made; null: there is none. */
  backupAt(): Promise<Date | null>;
  /** Until it is resumed: `hours` is null. */
  rest(actor: Actor, source: string, provider: string, hours: number | null): Promise<void>;
  resume(actor: Actor, source: string, provider: string): Promise<void>;
}

const options = { config: { open: true }, schema: { hide: true } };

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: not a route of the operator's, or not admitted. */
    operator: OperatorSession | null;
  }
}

export async function operatorPages(
  app: FastifyInstance,
  db: Database,
  side: OperatorSide,
  door: Door,
): Promise<void> {
  await app.register(async (browser) => {
    limitSignIns(browser, db, door.ready, door.admitLimitMs);
    linkRoutes(browser, db, OPERATOR_LINK);
  });
  await app.register(async (api) => operatorRoutes(api, db, side, door), { prefix: '/operator/api' });
}

function operatorRoutes(
  api: FastifyInstance,
  db: Database,
  side: OperatorSide,
  { ready, admitLimitMs }: Door,
): void {
  const sessionOf = batched(ASKED_AT_ONCE, (hashes: readonly Buffer[]) => findOperatorSessions(db, hashes));
  const sources = oneAtATime(() => side.sources());
  const doctor = oneAtATime(() => Promise.all([side.doctor(), side.backupAt()]));

  api.decorateRequest('operator', null);
  api.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    if (!ready()) return refuse(request, reply, { why: 'unavailable' });
    const hash = readSessionOf(request, OPERATOR_SESSION);
    const looked =
      hash &&
      (await inTime(
        sessionOf(hash).then((session) => ({ session })),
        admitLimitMs,
      ));
    if (hash && !looked) return refuse(request, reply, { why: 'unavailable' });
    if (!looked?.session) return refuse(request, reply, { why: 'operator_session_required' });
    if (isForeign(request)) return refuse(request, reply, { why: 'foreign_page' });
    request.operator = looked.session;
    // A body is nothing here, whatever it is called; left, a malformed name would be refused before us.
    delete request.headers['content-type'];
  });

  api.get('/session', options, async (request) => ({ expires_at: operatorOf(request).endsAtSeconds }));

  api.delete('/session', options, async (request, reply) => {
    await signOperatorOut(db, cameFrom(request), operatorOf(request).hash);
    clearSessionCookie(request, reply, OPERATOR_SESSION);
    return { deleted: true };
  });

  api.get('/sources', options, async () => wireSources(await sources(), new Date()));

  api.get('/doctor', options, async () => wireDoctor(...(await doctor()), new Date()));

  api.post<PairQuery>('/sources/rest', options, async (request, reply) => {
    const pair = readPair(request);
    const hours = readHours(request.query.hours);
    if (!pair || hours === undefined)
      return refuse(request, reply, {
        why: 'invalid_request',
        detail: `source, provider and hours are needed; hours: 1 to ${MAX_REST_HOURS}, or none`,
      });
    if (!(await isKnown(pair))) return refuse(request, reply, { why: 'not_found' });
    await side.rest(operatorFrom(cameFrom(request)), pair.source, pair.provider, hours);
    return { resting: true };
  });

  api.post<PairQuery>('/sources/resume', options, async (request, reply) => {
    const pair = readPair(request);
    if (!pair)
      return refuse(request, reply, { why: 'invalid_request', detail: 'source and provider are needed' });
    if (!(await isKnown(pair))) return refuse(request, reply, { why: 'not_found' });
    await side.resume(operatorFrom(cameFrom(request)), pair.source, pair.provider);
    return { resting: false };
  });

  /** What was mistyped would rest for nothing. A provider that was not asked yet may rest already. */
  async function isKnown({ source, provider }: Pair): Promise<boolean> {
    return PROVIDER_WORDS.includes(provider) && (await sources()).some((each) => each.source === source);
  }
}

type PairQuery = { Querystring: Readonly<Record<string, unknown>> };

interface Pair {
  readonly source: string;
  readonly provider: string;
}

/** Null: one of them is missing, repeated or too long. */
function readPair({ query }: FastifyRequest<PairQuery>): Pair | null {
  const { source, provider } = query;
  return isName(source) && isName(provider) ? { source, provider } : null;
}

function isName(given: unknown): given is string {
  return typeof given === 'string' && given.length <= MAX_SOURCE_CHARACTERS;
}

/** Undefined: not what it may be. */
function readHours(given: unknown): number | null | undefined {
  if (given === 'none') return null;
  if (typeof given !== 'string' || !/^[1-9]\d{0,3}$/.test(given)) return undefined;
  return Number(given) <= MAX_REST_HOURS ? Number(given) : undefined;
}

function operatorOf({ operator }: FastifyRequest): OperatorSession {
  if (!operator) throw new Error('a route of the operator was reached without a session');
  return operator;
}

/** However many ask at once, one reading is under way, and all get what it finds. */
function oneAtATime<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= read().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
