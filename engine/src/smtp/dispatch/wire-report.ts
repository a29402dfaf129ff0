// Tells the observer what came of asking, by source, provider and payer. Promise: each reply to RCPT that counts is told once, each
// session once, each refusal about us once; no mailbox is named; without an observer nothing is computed.

import { payerOf } from '@mxproof/common/fair-share';
import { type Payers, payerAmong } from '../../policy/payers.ts';
import type { AskedPlace, RecipientOutcome, WireObserver } from '../../ports.ts';
import type { Landing } from '../../state/answer.ts';
import { clip, replyWords, withoutMailboxes } from '../../state/transcript.ts';
import type { Meaning, Reply } from '../../types.ts';
import { blocksUs } from '../../verdict/blocks-us.ts';
import type { ReadReply } from '../../verdict/read-reply.ts';
import { refusalKind } from '../../verdict/refusal-kind.ts';
import { CLOSING, type Flight } from '../session/flight.ts';
import type { SessionEnd } from '../session/session-plan.ts';

const REPLY_MAX_BYTES = 480;

/**
 * Landings of one flight, which count. `isOpen`: the host has answered about others of the flight, so that what sounds like
 * a block was not about us.
 */
export function reportLandings(
  observer: WireObserver,
  place: AskedPlace,
  landings: readonly Landing[],
  isOpen: boolean,
  payers: Payers,
): void {
  let refusedMail: object | null = null;
  for (const { task, command, reading } of landings) {
    const { reply } = command;
    if (reading === null || reply === null) continue;
    const payer = payerAmong(payerOf(task.holder), payers);
    const kind = isOpen && blocksUs(reading) ? null : refusalKind(reading, reply);
    if (command.kind === 'rcpt')
      observer.recipient(
        place,
        kind === null ? outcomeOf(reading.meaning, task.kind === 'real') : 'refused',
        payer,
      );
    else if (command === refusedMail || reply.code === CLOSING) continue;
    else refusedMail = command;
    if (kind !== null) observer.refusal(place, kind, shownReply(reply), payer);
  }
}

/** A session has ended that was opened for `payer`; its landings are reported elsewhere. */
export function reportEnd(
  observer: WireObserver,
  place: AskedPlace,
  flights: readonly Flight[],
  { how, stage, reply }: SessionEnd,
  readReply: ReadReply,
  payer: string,
): void {
  const isAnswered = flights.some(hasAnswer);
  const isRefused = how === 'refused' || flights.some(isMailRefused);
  const isServed = isAnswered || (how === 'done' && !isRefused);
  observer.session(place, isServed ? 'answered' : isRefused ? 'refused' : 'failed');
  if (how !== 'refused' || stage === 'starttls' || reply === null || reply.code < 400) return;
  const reading = readReply(stage, reply, place.provider);
  const kind = refusalKind(reading, reply);
  // 421 after some answers is a limit of the connection, unless its words are surely about us.
  const isSure = kind !== 'rate' && reading.by === 'wording' && reading.clarity !== 'vague';
  if (kind !== null && (isSure || !isAnswered)) observer.refusal(place, kind, shownReply(reply), payer);
}

/** What is said about a recipient after its MAIL was refused answers nothing. */
function hasAnswer({ commands }: Flight): boolean {
  let isSenderAccepted = false;
  return commands.some(({ kind, reply }) => {
    if (kind === 'mail') isSenderAccepted = reply !== null && reply.code < 300;
    return kind === 'rcpt' && isSenderAccepted && reply !== null && reply.code !== CLOSING;
  });
}

function isMailRefused({ commands }: Flight): boolean {
  return commands.some(({ kind, reply }) => kind === 'mail' && reply !== null && reply.code >= 400);
}

/**
 * A probe's name is made up: that it does not exist says nothing of the lists that are asked about, so that it is not
 * counted among the unknown recipients.
 */
function outcomeOf(meaning: Meaning, isReal: boolean): RecipientOutcome {
  switch (meaning) {
    case 'accepted':
      return 'accepted';
    case 'no_mailbox':
      return isReal ? 'unknown' : 'other';
    case 'greylisted':
    case 'temporary':
    case 'mailbox_busy':
      return 'deferred';
    case 'over_quota':
    case 'rate_limited':
    case 'too_many_recipients':
    case 'blocked':
    case 'sender_refused':
    case 'tls_required':
    case 'relay_denied':
    case 'tenant_lapsed':
    case 'content':
    case 'protocol':
    case 'unclear':
      return 'other';
    default:
      return meaning satisfies never;
  }
}

/** Every e-mail address in it, the recipient's included, is left out. */
function shownReply(reply: Reply): string {
  return clip(withoutMailboxes(replyWords(reply), ''), REPLY_MAX_BYTES);
}
