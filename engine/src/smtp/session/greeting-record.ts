// What a host has said and offered while it was greeted. Promise: each reply is noted for the evidence, and what was
// offered in clear is replaced by what is offered through TLS.

import { replyWords, type SessionLines } from '../../state/transcript.ts';
import type { Reply } from '../../types.ts';
import { type EhloOffer, ehloWords } from './ehlo-offer.ts';
import { type GreetingState, type GreetingStep, nextInGreeting } from './greeting.ts';
import type { SessionPlan } from './session-plan.ts';

export class GreetingRecord {
  banner = '';
  readonly replies: Reply[] = [];
  tls = false;
  pipelining = false;
  smtpUtf8 = false;
  recipientsMax: number | null = null;
  readonly #plan: SessionPlan;
  readonly #lines: SessionLines;

  constructor(plan: SessionPlan, lines: SessionLines) {
    this.#plan = plan;
    this.#lines = lines;
  }

  /** What to do next. `atMs`: since the session began. */
  heard(state: GreetingState, reply: Reply, atMs: number): GreetingStep {
    this.#lines.add(atMs, 'server', state === 'ehlo' ? ehloWords(reply) : replyWords(reply));
    if (state === 'banner') this.banner = reply.lines.join(' ');
    else this.replies.push(reply);
    const step = nextInGreeting(state, reply, this.#plan, this.tls);
    if ((step.kind === 'say' || step.kind === 'ready') && step.offer !== null) this.#offered(step.offer);
    return step;
  }

  secured(atMs: number): void {
    this.tls = true;
    this.#lines.add(atMs, 'note', 'TLS established');
  }

  #offered({ pipelining, smtpUtf8, recipientsMax }: EhloOffer): void {
    this.pipelining = this.#plan.mayPipeline && pipelining;
    this.smtpUtf8 = smtpUtf8;
    this.recipientsMax = recipientsMax;
  }
}
