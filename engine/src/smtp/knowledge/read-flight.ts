// What a flight's replies mean for its recipients. Decides, touches nothing. Promise: every recipient of the flight gets
// exactly one landing; a reply to a recipient counts only when its MAIL was accepted; nothing but a reply to its own RCPT
// ever says something about a mailbox.
import type { Command, Landing } from '../../state/answer.ts';
import type { Task } from '../../state/task.ts';
import type { Meaning, Reply, ReplyReading } from '../../types.ts';
import type { ReadReply } from '../../verdict/read-reply.ts';
import { senderBit } from '../hosts/parts/senders.ts';
import { CLOSING, type Flight } from '../session/flight.ts';
import { isMisplaced } from './misplaced-reply.ts';

export interface FlightLanding {
  readonly landings: readonly Landing[];
  /** A sign that we ask too much: half the pace, and pause. */
  readonly trouble: boolean;
  readonly retryAfterMs: number | null;
  /** Recipients accepted by a transaction that then was full. */
  readonly transactionAccepted: number | null;
  /** Bits as in Task.sendersRefused: a flight may carry both senders. */
  readonly sendersAccepted: number;
  readonly sendersRefused: number;
  /** How the last MAIL was refused, if one was. */
  readonly mailRefused: ReplyReading | null;
  readonly mailRefusal: Reply | null;
  /** A sender or a recipient was refused for want of TLS. */
  readonly wantsTls: boolean;
  /** A reply was seen to be another command's: none of the flight's replies counts. */
  readonly outOfStep: boolean;
  readonly answered: number;
  readonly refusedRecipients: number;
}

export function readFlight(
  flight: Flight,
  provider: string,
  pipelined: boolean,
  read: ReadReply,
): FlightLanding {
  const reading = new FlightReading(flight, provider, pipelined, read);
  for (let at = 0; at < flight.commands.length; ) at = reading.readTransaction(at);
  if (reading.outOfStep) reading.askAllAgain();
  return reading;
}

/** The fold over a flight's transactions: each adds its landings and what it shows. */
class FlightReading implements FlightLanding {
  readonly landings: Landing[] = [];
  trouble = false;
  retryAfterMs: number | null = null;
  transactionAccepted: number | null = null;
  sendersAccepted = 0;
  sendersRefused = 0;
  mailRefused: ReplyReading | null = null;
  mailRefusal: Reply | null = null;
  wantsTls = false;
  outOfStep = false;
  answered = 0;
  refusedRecipients = 0;
  readonly #flight: Flight;
  readonly #provider: string;
  readonly #pipelined: boolean;
  readonly #read: ReadReply;
  /** The last MAIL that was accepted. */
  #lastAccepted = '';

  constructor(flight: Flight, provider: string, pipelined: boolean, read: ReadReply) {
    this.#flight = flight;
    this.#provider = provider;
    this.#pipelined = pipelined;
    this.#read = read;
  }

  /** From the MAIL at `start` to the next one, whose place is returned. */
  readTransaction(start: number): number {
    const { commands } = this.#flight;
    let mail: Command | null = null;
    let mailReading: ReplyReading | null = null;
    let asked = 0;
    let accepted = 0;
    let at = start;
    for (; at < commands.length; at += 1) {
      const command = commands[at];
      if (command === undefined || (command.kind === 'mail' && at > start)) break;
      if (command.reply?.code === CLOSING) this.trouble = true;
      if (command.kind === 'mail') {
        mail = command;
        mailReading = this.#readMail(command);
      } else if (command.task === null) {
        // RSET and HELP say nothing about a recipient.
      } else if (mail !== null && mailReading !== null) {
        this.landings.push(landWithMail(command.task, mail, mailReading));
      } else {
        const meaning = this.#readRecipient(command, command.task, asked > 0);
        if (meaning === null) continue;
        if (meaning === 'accepted') accepted += 1;
        // Exim counts refused recipients too: where none was accepted, the number asked is the limit.
        if (meaning !== 'too_many_recipients') asked += 1;
        else if (asked > 0) this.transactionAccepted = accepted > 0 ? accepted : asked;
      }
    }
    return at;
  }

  /** Out of step, no reply of the flight is known to be its own recipient's. */
  askAllAgain(): void {
    this.landings.length = 0;
    for (const command of this.#flight.commands)
      if (command.task !== null)
        this.landings.push({ task: command.task, command, act: 'ask_again', reading: null });
  }

  /** How it was refused; null: it was not. */
  #readMail({ words, sender, reply }: Command): ReplyReading | null {
    if (reply === null) return null;
    if (reply.code < 300) {
      this.sendersAccepted |= senderBit(sender);
      this.#lastAccepted = words;
      return null;
    }
    // A sender accepted a moment ago and now refused for good: that reply was a recipient's.
    if (this.#pipelined && this.#lastAccepted === words && reply.code >= 500) this.outOfStep = true;
    const reading = this.#read('mail', reply, this.#provider);
    if (reading.meaning === 'sender_refused') this.sendersRefused |= senderBit(sender);
    this.mailRefused = reading;
    this.mailRefusal = reply;
    this.#noteSigns(reading, reply);
    this.#noteWait(reading);
    return reading;
  }

  /** What the host has said about a recipient whose MAIL was accepted; null: nothing that counts. */
  #readRecipient(command: Command, task: Task, isLater: boolean): Meaning | null {
    const { reply } = command;
    if (reply === null || reply.code === CLOSING) {
      if (reply !== null) this.#noteWait(this.#read('rcpt', reply, this.#provider));
      this.landings.push({ task, command, act: unheard(command, this.#flight), reading: null });
      return null;
    }
    if (this.#pipelined && isMisplaced(reply, command, this.#flight)) {
      this.outOfStep = true;
      return null;
    }
    const reading = this.#read('rcpt', reply, this.#provider, task.address.mailbox);
    const { meaning } = reading;
    this.answered += 1;
    if (reply.code >= 300) this.refusedRecipients += 1;
    this.#noteSigns(reading, reply);
    if (meaning === 'rate_limited' || meaning === 'too_many_recipients') this.#noteWait(reading);
    this.landings.push({ task, command, act: actOn(meaning, isLater), reading });
    return meaning;
  }

  #noteSigns({ meaning }: ReplyReading, reply: Reply): void {
    if (meaning === 'tls_required') this.wantsTls = true;
    if (isTrouble(meaning, reply)) this.trouble = true;
  }

  /** The longest wait that was asked for. */
  #noteWait({ retryAfterMs }: ReplyReading): void {
    if (retryAfterMs === null) return;
    this.retryAfterMs = Math.max(this.retryAfterMs ?? 0, retryAfterMs);
  }
}

/** A refused MAIL takes its recipients with it. */
function landWithMail(task: Task, mail: Command, reading: ReplyReading): Landing {
  const { reply } = mail;
  const isEnd = reply === null || reply.code === CLOSING;
  const act = isEnd ? 'dropped' : actOn(reading.meaning, false);
  return { task, command: mail, act, reading };
}

/** No reply came: the connection dropped, or the host fell silent at this recipient or an earlier one. */
function unheard(command: Command, { silentAt }: Flight): Landing['act'] {
  if (silentAt === null) return 'dropped';
  return command === silentAt ? 'silent' : 'ask_again';
}

/** `isLater`: others of its transaction were asked about before it. */
function actOn(meaning: Meaning, isLater: boolean): Landing['act'] {
  switch (meaning) {
    case 'too_many_recipients':
      return isLater ? 'ask_again' : 'answer';
    case 'sender_refused':
      return 'other_sender';
    case 'blocked':
    case 'accepted':
    case 'no_mailbox':
    case 'over_quota':
    case 'mailbox_busy':
    case 'greylisted':
    case 'temporary':
    case 'rate_limited':
    case 'tls_required':
    case 'relay_denied':
    case 'tenant_lapsed':
    case 'content':
    case 'protocol':
    case 'unclear':
      return 'answer';
    default:
      return meaning satisfies never;
  }
}

/** These often come with 4.7.1 too, and slowing down would not help. */
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
