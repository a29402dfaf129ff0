// A POST of an operator: what it does and its answer are one transaction, and the same request with the same Idempotency-Key gets the
// same answer. Promise: a refusal changes nothing and is not remembered.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../flow/context.ts';
import { type Refusal, refuse } from '../../http/errors.ts';
import type { Parts } from '../../http/route-parts.ts';
import { readIdempotencyKey } from '../../http/wire/idempotency-key.ts';
import { joined } from '../../store/database.ts';
import { adminOf } from './admin-door.ts';
import { type AdminBody, type AdminRoute, readAdminBody } from './bodies.ts';
import { type AnswerKey, findAnswer, type KeptAnswer, keepAnswer, reserveAnswer } from './stored-answers.ts';

/** Of what was asked: the answer, or why not. */
export type Done = { readonly status: number; readonly body: object } | Refusal;

class NotDone extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.why);
    this.refusal = refusal;
  }
}

/**
 * `work` does it within the transaction: its context's own transactions join that one. `before`: what takes too long for a
 * transaction; not for a request that is refused or answered again.
 */
export async function answerOnce<Name extends AdminRoute>(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  route: Name,
  work: (context: Context, body: AdminBody<Name>) => Promise<Done>,
  before = async (): Promise<void> => {},
): Promise<unknown> {
  const header = readIdempotencyKey(request);
  if (typeof header === 'object' && header) return refuse(request, reply, header);
  const read = await readAdminBody(parts, request, reply, route);
  if (read.kind === 'refused') return refuse(request, reply, read.refusal);
  const { context, box } = parts;
  const key = header === null ? null : keyOf(request, header, read.bytes);
  // What is found, and not the reply: to wait for that one is to wait until it is sent.
  const find = async () => key && findAnswer(context.db, box, key);
  const again = (kept: KeptAnswer | 'other_request') =>
    kept === 'other_request'
      ? refuse(request, reply, { why: 'idempotency_key_reused' })
      : send(reply.header('idempotent-replayed', 'true'), kept);
  const kept = await find();
  if (kept) return again(kept);
  await before();
  try {
    const done = await context.db.transaction(async (tx): Promise<KeptAnswer | null> => {
      const id = key && (await reserveAnswer(tx, key));
      if (key && id === null) return null;
      const answer = await work({ ...context, db: joined(context.db, tx) }, read.body);
      if ('why' in answer) throw new NotDone(answer);
      const written = { status: answer.status, body: JSON.stringify(answer.body) };
      if (id !== null) await keepAnswer(tx, box, id, written);
      return written;
    });
    if (done) return send(reply, done);
    const made = await find();
    return made ? again(made) : refuse(request, reply, { why: 'unavailable' });
  } catch (error) {
    if (error instanceof NotDone) return refuse(request, reply, error.refusal);
    throw error;
  }
}

function send(reply: FastifyReply, { status, body }: KeptAnswer): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

function keyOf(request: FastifyRequest, key: string, body: Buffer): AnswerKey {
  const { sessionId, keyId } = adminOf(request);
  const requestHash = createHash('sha256').update(`${request.method} ${request.url}\n`).update(body).digest();
  return { holder: sessionId === null ? `key ${keyId}` : `session ${sessionId}`, key, requestHash };
}
