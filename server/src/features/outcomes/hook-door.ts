// POST /v1/hooks/<service>/<token>: the door of sending services, beside the keys.
// Promise: nothing is taken that the service's own scheme has not proven; a service that was not answered may repeat its request; the
// URL is in no log, since logs and metrics know routes by their pattern.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../../http/errors.ts';
import { inTime } from '../../http/in-time.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { type Door, openRefusals, openResponse, type Parts, READ_BODY } from '../../http/route-parts.ts';
import { readBytes } from '../../http/take-body.ts';
import { SENDING_SERVICES } from '../../rules/sending-services.ts';
import { batched } from '../../store/batched.ts';
import { type RateRequest, takeFromWindows } from '../../store/rate-windows.ts';
import { WrongSecretKey } from '../../store/secret-box.ts';
import type { WireHookAnswer } from './hook-schemas.ts';
import type { HookReading } from './services/service.ts';
import { createServices } from './services/services.ts';
import {
  type AskedHook,
  findHooks,
  keepToken,
  lockHook,
  noteEvent,
  readHookToken,
  settingsOf,
} from './stored-hooks.ts';
import { takeOutcomes } from './take-outcomes.ts';

/** Postmark and Mailgun send a request for each message. */
export const HOOK_REQUESTS_A_MINUTE = 6_000;
/** SendGrid sends the most: 768 KB. */
export const MAX_HOOK_BYTES = 1024 * 1024;
const ASKED_AT_ONCE = 500;

type Asked = { Params: { service: string; token: string } };

export function hookDoor(app: FastifyInstance, parts: Parts, { ready, admitLimitMs }: Door): void {
  const { context, box, fetchPublic, watchdog } = parts;
  const { db } = context;
  const services = createServices();
  const hookOf = batched(ASKED_AT_ONCE, (hashes: readonly Buffer[]) => findHooks(db, hashes));
  const take = batched(ASKED_AT_ONCE, (asks: readonly RateRequest[]) => takeFromWindows(db, asks));

  /** Null: there is no such hook. */
  async function admit({ service, token }: Asked['Params']) {
    const tokenHash = readHookToken(token);
    const hook = tokenHash && (await hookOf(tokenHash));
    if (!hook || hook.service !== service) return null;
    const ask = { holderId: hook.id, kind: 'hook', limit: HOOK_REQUESTS_A_MINUTE, amount: 1 } as const;
    return { hook, window: await take(ask) };
  }

  async function prove(hook: AskedHook, request: FastifyRequest, body: Buffer): Promise<HookReading> {
    const settings = settingsOf(hook, box);
    if (settings === null) return { kind: 'refused' };
    const reader = {
      whatIsRead: () => ({
        kind: 'body' as const,
        host: null,
        lots: [],
        account: hook.accountId,
        route: `hook of ${hook.service}`,
      }),
    };
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const beganMs = watchdog.began(reader);
    const reading = services[hook.service].read(
      { headers: request.headers, body, nowSeconds },
      settings,
      fetchPublic,
    );
    watchdog.wasSlow(reader, beganMs);
    return reading;
  }

  /** A repeat of what failed on the way is taken again: with the same token the same body may come. */
  async function write(
    hook: AskedHook,
    { events, onlyWith }: HookReading & { readonly kind: 'events' },
    body: Buffer,
  ): Promise<WireHookAnswer | Refusal> {
    const mayTake = await db.transaction(async (tx) => {
      if (!(await lockHook(tx, hook.id))) return false;
      if (onlyWith !== undefined && !(await keepToken(tx, hook.id, onlyWith, body))) return false;
      await noteEvent(tx, hook.id);
      return true;
    });
    if (!mayTake) return { why: 'hook_refused' };
    const { accountId, service: source } = hook;
    const taken = await takeOutcomes(parts, { accountId, source }, events.outcomes);
    switch (taken.kind) {
      case 'taken':
        return {
          accepted: taken.accepted,
          ignored: taken.ignored + events.ignored,
          duplicates: taken.duplicates,
        };
      case 'outcomes_off':
        return { accepted: 0, ignored: events.ignored + events.outcomes.length, duplicates: 0 };
      case 'unavailable':
        return { why: 'unavailable' };
    }
  }

  async function answer(
    hook: AskedHook,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<WireHookAnswer | Refusal> {
    const read = await readBytes(parts, request, reply, {
      accountId: hook.accountId,
      maxBytes: MAX_HOOK_BYTES,
    });
    if (read.kind === 'refused') return read.refusal;
    const reading = await prove(hook, request, read.body).catch((error: unknown) => {
      if (error instanceof WrongSecretKey) return { kind: 'unavailable' as const };
      throw error;
    });
    if (reading.kind === 'refused') return { why: 'hook_refused' };
    if (reading.kind !== 'events') return { why: reading.kind };
    return write(hook, reading, read.body);
  }

  app.post<Asked>(
    '/v1/hooks/:service/:token',
    {
      config: { open: true },
      // Bodies are JSON whatever they are called; left here, a malformed name would be refused before us.
      onRequest: async ({ headers }) => {
        delete headers['content-type'];
      },
      schema: {
        operationId: 'takeServiceEvents',
        summary: 'Take events of a sending service',
        description: `Called by the service itself, at the URL of a hook, in its own format; no key is needed. A request is taken when its signature, its topic or its credentials prove it; whatever proves nothing is one 401. At most ${HOOK_REQUESTS_A_MINUTE} requests a minute for each hook. Events of deliveries, bounces and complaints become outcomes; a repeated one changes nothing. Where the account’s outcomes are off, the answer is 200 and nothing is kept.`,
        security: [],
        params: {
          type: 'object',
          properties: {
            service: { type: 'string', enum: [...SENDING_SERVICES], description: 'Whose hook it is.' },
            token: { type: 'string', description: 'The secret of the hook’s URL.' },
          },
        },
        response: {
          200: openResponse('Taken.', ref('HookAnswer')),
          ...openRefusals('hook_refused', 'rate_limited', ...READ_BODY),
        },
      },
    },
    async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store' });
      if (!ready()) return refuse(request, reply, { why: 'unavailable' });
      const admitted = await inTime(
        admit(request.params).then((found) => ({ found })),
        admitLimitMs,
      );
      if (!admitted) return refuse(request, reply, { why: 'unavailable' });
      if (!admitted.found) return refuse(request, reply, { why: 'hook_refused' });
      const { hook, window } = admitted.found;
      if (!window.granted)
        return refuse(request, reply, { why: 'rate_limited', retryAfterMs: window.retryAfterMs });
      const answered = await answer(hook, request, reply);
      return 'why' in answered ? refuse(request, reply, answered) : answered;
    },
  );
}
