// What signing in has in common, with a key or with a link.
// Promise: however many nodes there are, one client has so many tries a minute, and no answer is kept or passed on by a
// browser, a proxy or a referrer.
import type { FastifyInstance } from 'fastify';
import { clientNetwork } from '../rules/cidr.ts';
import type { Database } from '../store/database.ts';
import { countAttempt } from '../store/sign-in-links.ts';
import { refuse } from './errors.ts';
import { inTime } from './in-time.ts';

export function limitSignIns(
  app: FastifyInstance,
  db: Database,
  ready: () => boolean,
  limitMs: number,
): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    if (!ready()) return refuse(request, reply, { why: 'unavailable' });
    // Signing out is none.
    if (request.method === 'DELETE') return;
    const counted = await inTime(
      countAttempt(db, clientNetwork(request.ip)).then((waitMs) => ({ waitMs })),
      limitMs,
    );
    if (!counted) return refuse(request, reply, { why: 'unavailable' });
    if (counted.waitMs !== null)
      return refuse(request, reply, { why: 'rate_limited', retryAfterMs: counted.waitMs });
    // A body is JSON whatever it is called; left here, a malformed name would be refused before us.
    delete request.headers['content-type'];
  });
}
