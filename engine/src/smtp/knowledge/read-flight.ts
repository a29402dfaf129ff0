// What a flight's replies mean for its recipients. Decides, touches nothing.
// Promise: every recipient of the flight gets exactly one landing; a reply to a recipient counts only when its MAIL
// was taken; nothing but a reply to its own RCPT ever says something about a mailbox.
import type { Address, Meaning, Reply, ReplyReading, Stage } from '../../types.ts';
import { CLOSING, type Command, type Flight } from '../session/flight.ts';
import type { Task } from '../session/task.ts';
import { senderBit } from './senders.ts';

export type ReadReply = (stage: Stage, reply: Reply, provider: string, mailbox?: string) => ReplyReading;

export interface Landing {
  readonly task: Task;
  /** The command whose reply decided: RCPT, or the MAIL before it. */
  readonly command: Command;
  readonly act: 'answer' | 'ask_again' | 'other_sender' | 'other_source' | 'dropped' | 'silent';
  readonly reading: ReplyReading | null;
}

export interface FlightLanding {
  readonly landings: readonly Landing[];
  /** A sign that we ask too much: half the pace, and pause. */
  readonly trouble: boolean;
  readonly retryAfterMs: number | null;
  /** Recipients taken by a transaction that then was full. */
  readonly transactionTook: number | null;
  /** Bits as in Task.sendersRefused: a flight may carry both senders. */
  readonly sendersTaken: number;
  readonly sendersRefused: number;
  /** How the last MAIL was refused, if one was. */
  readonly mailRefused: ReplyReading | null;
  readonly mailRefusal: Reply | null;
  /** Somebody was told that nothing goes without TLS. */
  readonly wantsTls: boolean;
  /** RCPT answered as if its MAIL had not been heard, or with somebody else's address. */
  readonly outOfStep: boolean;
  readonly refusals: number;
  readonly answered: number;
  readonly refusedRecipients: number;
  readonly resets: number;
}

const NO_MAIL_YET = 503;

export function readFlight(
  flight: Flight,
  provider: string,
  pipelined: boolean,
  read: ReadReply,
): FlightLanding {
  const landings: Landing[] = [];
  let trouble = false;
  let retryAfterMs: number | null = null;
  let transactionTook: number | null = null;
  let sendersTaken = 0;
  let sendersRefused = 0;
  let lastTaken = '';
  let mailRefused: ReplyReading | null = null;
  let mailRefusal: Reply | null = null;
  let wantsTls = false;
  let outOfStep = false;
  let refusals = 0;
  let answered = 0;
  let refusedRecipients = 0;
  let resets = 0;
  let mail: Command | null = null;
  let mailReading: ReplyReading | null = null;
  let taken = 0;
  let asked = 0;
  for (const command of flight.commands) {
    const { reply, task } = command;
    if (reply !== null && reply.code >= 400) refusals += 1;
    if (reply?.code === CLOSING) trouble = true;
    if (command.kind === 'rset' || command.kind === 'help') {
      // Commands that bring no mail: both are counted where RSET is.
      resets += 1;
      continue;
    }
    if (command.kind === 'mail') {
      mail = command;
      mailReading = null;
      taken = 0;
      asked = 0;
      if (reply === null) continue;
      if (reply.code < 300) {
        sendersTaken |= senderBit(command.sender);
        lastTaken = command.line;
      } else {
        // What it has just taken, refused for good: that was a recipient's answer.
        if (pipelined && lastTaken === command.line && reply.code >= 500) outOfStep = true;
        mailReading = read('mail', reply, provider);
        if (mailReading.meaning === 'sender_refused') sendersRefused |= senderBit(command.sender);
        mailRefused = mailReading;
        mailRefusal = reply;
        if (mailReading.meaning === 'tls_required') wantsTls = true;
        if (isTrouble(mailReading.meaning, reply)) trouble = true;
        retryAfterMs = longer(retryAfterMs, mailReading.retryAfterMs);
      }
      continue;
    }
    if (task === null || mail === null) continue;
    if (mailReading !== null && mail.reply !== null) {
      const act = mail.reply.code === CLOSING ? 'dropped' : actOn(mailReading.meaning, mail.reply, false);
      landings.push({ task, command: mail, act, reading: mailReading });
      continue;
    }
    if (reply === null || reply.code === CLOSING) {
      if (reply !== null) retryAfterMs = longer(retryAfterMs, read('rcpt', reply, provider).retryAfterMs);
      landings.push({ task, command, act: unheard(command, flight), reading: null });
      continue;
    }
    if (
      pipelined &&
      (reply.code === NO_MAIL_YET || isMailReply(reply) || namesAnother(reply, command, flight))
    ) {
      outOfStep = true;
      continue;
    }
    answered += 1;
    const reading = read('rcpt', reply, provider, task.address.mailbox);
    if (reading.meaning === 'tls_required') wantsTls = true;
    if (isTrouble(reading.meaning, reply)) trouble = true;
    if (reading.meaning === 'rate_limited' || reading.meaning === 'too_many_recipients')
      retryAfterMs = longer(retryAfterMs, reading.retryAfterMs);
    if (reply.code < 300) taken += 1;
    else refusedRecipients += 1;
    // Exim counts refused recipients too: where none was taken, those asked are what a transaction bears.
    if (reading.meaning !== 'too_many_recipients') asked += 1;
    else if (asked > 0) transactionTook = taken > 0 ? taken : asked;
    landings.push({ task, command, act: actOn(reading.meaning, reply, asked > 0), reading });
  }
  // Out of step, no reply of the flight is known to be its own recipient's.
  if (outOfStep) {
    landings.length = 0;
    for (const command of flight.commands)
      if (command.task !== null)
        landings.push({ task: command.task, command, act: 'ask_again', reading: null });
  }
  return {
    landings,
    trouble,
    retryAfterMs,
    transactionTook,
    sendersTaken,
    sendersRefused,
    mailRefused,
    mailRefusal,
    wantsTls,
    outOfStep,
    refusals,
    answered,
    refusedRecipients,
    resets,
  };
}

/** No reply came: the line broke, or the host fell silent about this one or about one before it. */
function unheard(command: Command, { silentAt }: Flight): Landing['act'] {
  if (silentAt === null) return 'dropped';
  return command === silentAt ? 'silent' : 'ask_again';
}

function actOn(meaning: Meaning, reply: Reply, someAsked: boolean): Landing['act'] {
  switch (meaning) {
    case 'too_many_recipients':
      return someAsked ? 'ask_again' : 'answer';
    case 'sender_refused':
      return 'other_sender';
    case 'blocked':
      return reply.code >= 500 ? 'other_source' : 'answer';
    case 'accepted':
    case 'no_mailbox':
    case 'over_quota':
    case 'mailbox_busy':
    case 'greylisted':
    case 'temporary':
    case 'rate_limited':
    case 'tls_required':
    case 'relay_denied':
    case 'content':
    case 'protocol':
    case 'unclear':
      return 'answer';
    default:
      return meaning satisfies never;
  }
}

/** These often wear 4.7.1 too, and asking more slowly would change nothing about them. */
const NOT_ABOUT_PACE: ReadonlySet<Meaning> = new Set([
  'mailbox_busy',
  'greylisted',
  'relay_denied',
  'sender_refused',
  'tls_required',
]);

function isTrouble(meaning: Meaning, reply: Reply): boolean {
  if (meaning === 'rate_limited' || meaning === 'too_many_recipients') return true;
  if (NOT_ABOUT_PACE.has(meaning)) return false;
  return reply.enhanced?.startsWith('4.7.') === true;
}

/** `2.1.0` is what MAIL is answered with. */
function isMailReply(reply: Reply): boolean {
  return reply.code < 300 && reply.enhanced === '2.1.0' && /\bsender\b/i.test(reply.lines[0] ?? '');
}

/** Longer than any mailbox goes, its bracket is nobody's. */
const BRACKETED = /<([^<>\s]{3,320})>/g;

/** A refusal that names another recipient of the same flight has come to the wrong one. */
function namesAnother(reply: Reply, command: Command, flight: Flight): boolean {
  if (reply.code < 400 || flight.recipients < 2) return false;
  const first = reply.lines[0] ?? '';
  const own = command.task?.address.mailbox ?? '';
  if (!first.includes('@') || first.includes(`<${own}>`)) return false;
  const named = firstNamed(first)?.toLowerCase();
  if (named === undefined || named === own.toLowerCase()) return false;
  return flight.commands.some((other) => other.task?.address.mailbox.toLowerCase() === named);
}

/** The first mailbox in brackets. */
function firstNamed(line: string): string | undefined {
  for (const [, token = ''] of line.matchAll(BRACKETED)) {
    const at = token.indexOf('@', 1);
    if (at > 0 && at < token.length - 1) return token;
  }
  return undefined;
}

function longer(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}

/** Token by token: a pattern with a digit in its middle would try every start. */
const NAME_OR_NUMBER = /[a-z0-9._-]+/g;

function withoutNumbers(token: string): string {
  return /\d/.test(token) ? '#' : token;
}

/**
 * For replies that tell different recipients the same, one of them is equal: addresses, names and numbers of the moment
 * left out; as it is, and without the local part, which may stand there alone or be a word of the text (`user`, `typo`).
 */
export function signaturesOf(reply: Reply, { local, domain, mailbox }: Address): readonly string[] {
  if (reply.code < 400) return [''];
  const text = reply.lines
    .join(' ')
    .toLowerCase()
    .replaceAll(mailbox.toLowerCase(), '*')
    .replaceAll(domain, '*');
  const texts = local.length > 2 ? [text, text.replaceAll(local.toLowerCase(), '*')] : [text];
  return texts.map((one) => `${reply.code} ${one.replace(NAME_OR_NUMBER, withoutNumbers)}`);
}
