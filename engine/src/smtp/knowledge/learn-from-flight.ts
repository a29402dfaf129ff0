// What a flight's replies teach about its host. Changes only the MX host it is given. Promise: recipients deferred for
// being too many lower the pace only where they are the larger part, since one or two may have a busy mailbox.

import { payerOf } from '@mxproof/common/fair-share';
import { answeredWell, askedTooMany, transactionFull } from '../../pace/pace.ts';
import type { Landing } from '../../state/answer.ts';
import { heardFrom, type MxHost } from '../hosts/mx-host.ts';
import { sourceOf } from '../hosts/source-name.ts';
import type { Flight } from '../session/flight.ts';
import type { Session } from '../session/session.ts';
import type { FlightLanding } from './read-flight.ts';

const DEFERRED_TELLING = 3;

export function learnFromFlight(
  mxHost: MxHost,
  session: Session,
  flight: Flight,
  landing: FlightLanding,
  nowMs: number,
): void {
  const { pace, greeting, errors, replies, senders, answers } = mxHost;
  const { answered } = landing;
  answers.landed(flight, answered, nowMs);
  if (landing.wantsTls && !session.tls) greeting.demandedTls();
  greeting.worked(landing.mailRefused?.meaning === 'tls_required');
  if (answered > 0) {
    heardFrom(mxHost, sourceOf(session.plan.target));
    const deferred = landing.trouble ? landing.landings.filter(isDeferred).length : 0;
    answeredWell(pace, Math.max(0, answered - deferred), nowMs);
    if (deferred >= DEFERRED_TELLING && deferred >= answered / 2) askedTooMany(pace, nowMs);
    errors.answered(answered, landing.refusedRecipients);
  }
  if (landing.outOfStep) replies.mixedUp(nowMs);
  if (landing.transactionAccepted !== null && !landing.landings.some(isDeferred))
    transactionFull(pace, landing.transactionAccepted, nowMs);
  senders.landed(landing.sendersAccepted, landing.sendersRefused, nowMs);
  for (const one of landing.landings) countRefusal(mxHost, one);
}

/** A probe is refused by every host that works, and accepted by many that refuse everyone else. */
function countRefusal({ refusals }: MxHost, { task, command, reading }: Landing): void {
  const code = command.reply?.code ?? 0;
  if (task.kind !== 'real' || command.kind !== 'rcpt' || reading === null) return;
  if (code >= 500) refusals.refused(payerOf(task.holder));
  else if (code < 300) refusals.accepted(payerOf(task.holder));
}

/** "Too many recipients", said to the first of a transaction or as a policy (4.7.1), is not about the transaction. */
function isDeferred({ act, command, reading }: Landing): boolean {
  if (reading?.meaning === 'rate_limited') return true;
  if (reading?.meaning !== 'too_many_recipients') return false;
  return act === 'answer' || command.reply?.enhanced?.startsWith('4.7.') === true;
}
