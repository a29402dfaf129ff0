// What signing in has in common, with a key or with a link.
// Promise: however many nodes there are, one client has so many tries a minute, one that has used them up costs the database
// nothing, and no answer is kept or passed on by a browser, a proxy or a referrer.
import { steadyNow } from '@mxproof/common/steady-now';
import type { FastifyInstance } from 'fastify';
import { clientNetwork } from '../rules/cidr.ts';
import type { Database } from '../store/database.ts';
import { ATTEMPTS_MS, type Attempts, countAttempt, MAX_ATTEMPTS } from '../store/sign-in-links.ts';
import { inTime } from './in-time.ts';
import { refuseSignIn } from './refuse-sign-in.ts';

/** Of those forgotten before their time the database still knows. */
const CLIENTS_REMEMBERED = 10_000;

export function limitSignIns(
  app: FastifyInstance,
  db: Database,
  ready: () => boolean,
  limitMs: number,
): void {
  const waitFor = createSignInLimit((client) => countAttempt(db, client));
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    if (!ready()) return refuseSignIn(request, reply, { why: 'unavailable' });
    // Signing out is none.
    if (request.method === 'DELETE') return;
    const counted = await inTime(
      waitFor(clientNetwork(request.ip)).then((waitMs) => ({ waitMs })),
      limitMs,
    );
    if (!counted) return refuseSignIn(request, reply, { why: 'unavailable' });
    if (counted.waitMs !== null)
      return refuseSignIn(request, reply, { why: 'rate_limited', retryAfterMs: counted.waitMs });
    // A body is JSON whatever it is called; left here, a malformed name would be refused before us.
    delete request.headers['content-type'];
  });
}

interface Known {
  readonly attempts: number;
  readonly beganAtMs: number;
  /** By the steady clock, when its minute is over. */
  readonly untilMs: number;
}

/** Null: it may try. Otherwise the milliseconds until it may again. */
function createSignInLimit(count: (client: string) => Promise<Attempts>) {
  /** What was last heard of a client; the first to be forgotten first. */
  const known = new Map<string, Known>();
  /** Attempts that are being counted. */
  const underWay = new Map<string, number>();

  function remember(client: string, heard: Known): void {
    const before = known.get(client);
    known.delete(client);
    // Answers overtake each other.
    const isLate = before?.beganAtMs === heard.beganAtMs && before.attempts > heard.attempts;
    known.set(client, isLate ? before : heard);
    const [oldest] = known.keys();
    if (known.size > CLIENTS_REMEMBERED && oldest !== undefined) known.delete(oldest);
  }

  return async (client: string): Promise<number | null> => {
    const { attempts: counted, untilMs } = known.get(client) ?? { attempts: 0, untilMs: 0 };
    const restMs = untilMs - steadyNow();
    const asking = underWay.get(client) ?? 0;
    if ((restMs > 0 ? counted : 0) + asking >= MAX_ATTEMPTS) return restMs > 0 ? restMs : ATTEMPTS_MS;
    underWay.set(client, asking + 1);
    try {
      const { attempts, beganAtMs, leftMs } = await count(client);
      remember(client, { attempts, beganAtMs, untilMs: steadyNow() + leftMs });
      return attempts > MAX_ATTEMPTS ? leftMs : null;
    } finally {
      const left = underWay.get(client)! - 1;
      if (left > 0) underWay.set(client, left);
      else underWay.delete(client);
    }
  };
}
