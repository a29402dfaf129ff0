// From the banner to a session that can be asked. Decides what to say next, touches nothing.
// Promise: EHLO, else HELO; STARTTLS once when it is offered (or wanted without an offer) and may be used, and in clear
// when it is refused.
//
//   banner ─▶ ehlo ─▶ ready
//               ├─5xx─▶ helo ─▶ ready
//               └─offered─▶ starttls ─220─▶ (handshake, then ehlo again)
import type { Reply } from '../../types.ts';
import { type EhloOffer, ehloOffer, NO_OFFER } from './ehlo-offer.ts';
import { CLOSING } from './flight.ts';
import type { SessionPlan } from './session-plan.ts';

export type GreetingState = 'banner' | 'ehlo' | 'helo' | 'starttls';

export type GreetingStep =
  | {
      readonly kind: 'say';
      readonly line: string;
      readonly state: GreetingState;
      readonly offer: EhloOffer | null;
    }
  | { readonly kind: 'ready'; readonly offer: EhloOffer | null }
  | { readonly kind: 'handshake' }
  | { readonly kind: 'refused' };

/** The host takes no mail at all, whatever it is greeted with. */
const NO_MAIL_HERE: ReadonlySet<number> = new Set([521, 554]);

export function hello(plan: SessionPlan): GreetingStep & { kind: 'say' } {
  const state = plan.heloOnly ? 'helo' : 'ehlo';
  return { kind: 'say', line: `${state.toUpperCase()} ${plan.heloName}`, state, offer: null };
}

export function nextInGreeting(
  state: GreetingState,
  reply: Reply,
  plan: SessionPlan,
  tls: boolean,
): GreetingStep {
  switch (state) {
    case 'banner':
      return reply.code >= 300 ? { kind: 'refused' } : hello(plan);
    case 'ehlo':
      if (isYes(reply)) return offered(ehloOffer(reply), plan, tls);
      if (reply.code < 500 || NO_MAIL_HERE.has(reply.code)) return { kind: 'refused' };
      return { kind: 'say', line: `HELO ${plan.heloName}`, state: 'helo', offer: null };
    case 'helo':
      return isYes(reply) ? offered(NO_OFFER, plan, tls) : { kind: 'refused' };
    case 'starttls':
      if (reply.code === CLOSING) return { kind: 'refused' };
      // Not now, then without: the server that insists will say so at MAIL.
      return reply.code === 220 ? { kind: 'handshake' } : { kind: 'ready', offer: null };
    default:
      return state satisfies never;
  }
}

/** Some hosts repeat their banner after the handshake: taken for the answer to EHLO, it would shift every later reply. */
function isYes(reply: Reply): boolean {
  return reply.code >= 250 && reply.code < 260;
}

function offered(offer: EhloOffer, plan: SessionPlan, tls: boolean): GreetingStep {
  const isWanted = offer.startTls || plan.demandsTls;
  if (tls || !plan.mayTls || !isWanted) return { kind: 'ready', offer };
  return { kind: 'say', line: 'STARTTLS', state: 'starttls', offer };
}
