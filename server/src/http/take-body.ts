// From a request's body to its meaning: headers, bytes, parsing, and whether it is a repeat.
// Promise: the client is told to continue (100-continue) only once its key is admitted and its body is wanted.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Reader } from '@mxproof/common/watchdog';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type IdempotencyKey,
  type IdempotentRoute,
  type RememberedRequest,
  recall,
} from '../store/idempotency.ts';
import { MAX_BODY_BYTES } from './body/body-reader.ts';
import type { Understood } from './body/parse-bodies.ts';
import type { RefusedBody } from './body/read-by-hand.ts';
import { knownFields } from './body/request-schemas.ts';
import type { Refusal } from './errors.ts';
import { callerOf, type Parts } from './route-parts.ts';
import { warnOfUnknown } from './warn-of-unknown.ts';
import { readIdempotencyKey } from './wire/idempotency-key.ts';

type ValidBody<Route extends keyof Understood> = Exclude<Understood[Route], { kind: 'refused' }>;

export type TakenBody<Route extends keyof Understood> =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'fresh'; readonly body: ValidBody<Route>; readonly key: IdempotencyKey | null }
  | {
      readonly kind: 'repeated';
      readonly body: ValidBody<Route>;
      readonly key: IdempotencyKey;
      readonly remembered: RememberedRequest;
    };

/** Of a POST that may carry an `Idempotency-Key`. */
export async function takeBody<Route extends keyof Understood & IdempotentRoute>(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
): Promise<TakenBody<Route>> {
  const header = readIdempotencyKey(request);
  if (typeof header === 'object' && header) return { kind: 'refused', refusal: header };
  const read = await readBody(parts, request, reply, route, { hashed: header !== null });
  if (read.kind === 'refused') return read;
  const { body, hash } = read;
  if (header === null) return { kind: 'fresh', body, key: null };
  const key = { accountId: callerOf(request).accountId, route, key: header, bodyHash: hash! };
  const remembered = await recall(parts.context.db, key);
  if (remembered) return { kind: 'repeated', body, key, remembered };
  return { kind: 'fresh', body, key };
}

/** Requests without an account's key share one allowance of body bytes, and each may send little. */
export const NO_ACCOUNT = 0;
const NO_ACCOUNT_MAX_BYTES = 4 * 1024;

type BodyReading<Route extends keyof Understood> =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'understood'; readonly body: ValidBody<Route>; readonly hash: Buffer | null };

/** What the body says, read by the route's parser. */
export async function readBody<Route extends keyof Understood>(
  { bodies, watchdog }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  { hashed, maxBytes = MAX_BODY_BYTES }: { readonly hashed: boolean; readonly maxBytes?: number },
): Promise<BodyReading<Route>> {
  const accountId = request.caller?.accountId ?? NO_ACCOUNT;
  const raw = await bodies.read(request.raw, {
    accountId,
    hashed,
    maxBytes: request.caller ? maxBytes : NO_ACCOUNT_MAX_BYTES,
    beforeReading: () => sayContinue(request.raw, reply.raw),
  });
  if (raw.kind === 'refused') return { kind: 'refused', refusal: { why: raw.why } };
  let body: Understood[Route] | { readonly kind: 'refused'; readonly why: 'unavailable' };
  try {
    const reader: Reader = {
      whatIsRead: () => ({
        kind: 'body',
        host: null,
        lots: [],
        account: accountId,
        route: request.routeOptions.url ?? route,
      }),
    };
    const beganMs = watchdog.began(reader);
    const understood = bodies.understand(route, raw);
    // What was parsed at once has been parsed; the request is answered like any other.
    watchdog.wasSlow(reader, beganMs);
    body = await understood;
  } finally {
    raw.reservation.release();
  }
  // The bodies of all routes together are too many for the compiler to tell apart here.
  const { kind, unknownFields: names = [] }: Pick<RefusedBody, 'unknownFields'> & { kind: string } = body;
  const unknown = warnOfUnknown(request, reply, 'unknown_field', names);
  if (unknown)
    return {
      kind: 'refused',
      refusal: { ...unknown, detail: `known here: ${knownFields(route).join(', ')}` },
    };
  if (kind === 'refused') return { kind: 'refused', refusal: body as Refusal };
  return { kind: 'understood', body: body as unknown as ValidBody<Route>, hash: raw.hash };
}

/** The bytes as they came, of a route that knows by itself what they mean. */
export async function readBytes(
  { bodies }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  { accountId, maxBytes }: { readonly accountId: number; readonly maxBytes: number },
): Promise<
  { readonly kind: 'refused'; readonly refusal: Refusal } | { readonly kind: 'read'; readonly body: Buffer }
> {
  const raw = await bodies.read(request.raw, {
    accountId,
    hashed: false,
    maxBytes,
    beforeReading: () => sayContinue(request.raw, reply.raw),
  });
  if (raw.kind === 'refused') return { kind: 'refused', refusal: { why: raw.why } };
  const body = Buffer.concat(raw.blocks);
  raw.reservation.release();
  return { kind: 'read', body };
}

/** Some clients send `{}` with every request; what says something is short, or need not be read to the end. */
const NO_BODY_MAX_BYTES = 4 * 1024;

/** Of a request that takes no body. Null: it has none, or one that says nothing. */
export async function takeNoBody(
  { bodies }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Refusal | null> {
  const { headers } = request.raw;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return null;
  const raw = await bodies.read(request.raw, {
    accountId: request.caller?.accountId ?? NO_ACCOUNT,
    hashed: false,
    maxBytes: NO_BODY_MAX_BYTES,
    beforeReading: () => sayContinue(request.raw, reply.raw),
  });
  if (raw.kind === 'refused')
    return { why: raw.why === 'too_large' || raw.why === 'encoded_body' ? 'unexpected_body' : raw.why };
  const text = String(Buffer.concat(raw.blocks)).trim();
  raw.reservation.release();
  return /^(?:\{\s*\}|null)?$/.test(text) ? null : { why: 'unexpected_body' };
}

const awaitingContinue = new WeakSet<IncomingMessage>();

/** Without this Node would say 100 by itself, before the key is checked. Other expectations are ignored. */
export function holdContinue(server: Server): void {
  const serve = (raw: IncomingMessage, response: ServerResponse) =>
    void server.emit('request', raw, response);
  server.on('checkContinue', (raw: IncomingMessage, response: ServerResponse) => {
    awaitingContinue.add(raw);
    serve(raw, response);
  });
  server.on('checkExpectation', serve);
}

function sayContinue(raw: IncomingMessage, response: ServerResponse): void {
  if (awaitingContinue.delete(raw)) response.writeContinue();
}
