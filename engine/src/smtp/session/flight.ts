// Commands that go out together, and the replies they got. Promise: MAIL before its RCPTs, RSET after them, one
// domain and one sender a transaction, one recipient a transaction where the sender is `<>`; replies go to commands in
// order, and one that cannot be its command's is told apart. HELP after a recipient asks for nothing but a reply that
// no other command has (see seal.ts).
import type { Command } from '../../state/answer.ts';
import type { Task } from '../../state/task.ts';
import type { Reply } from '../../types.ts';

/** The server ends the session, at any point of it. */
export const CLOSING = 421;

/** Composed on demand: a session's commands live until its 221, and the text would be a third of their memory. */
function lineOf({ words, task }: Command): string {
  return task === null ? `${words}\r\n` : `${words}:<${task.address.mailbox}>\r\n`;
}

export class Flight {
  readonly commands: Command[] = [];
  /** The session ends with this flight: QUIT rides along where pipelining is offered. */
  quits = false;
  /** It ends with a seal of its own, besides the session's 221. */
  isSealed = false;
  /** Its recipients have their answers. */
  isTold = false;
  /** Milliseconds since the session began. */
  sentAtMs = 0;
  recipients = 0;
  transactions = 0;
  /** RSETs and HELPs: hosts count both alike. */
  resets = 0;
  /** Errors among the replies. */
  refusals = 0;
  /** The command that got no reply in time, where that is known; those after it were not sent. */
  silentAt: Command | null = null;
  /** One by one, each reply is waited for, and the last RSET's shows whether the two are still in step. */
  readonly #oneByOne: boolean;
  #answered = 0;

  constructor(oneByOne = false) {
    this.#oneByOne = oneByOne;
  }

  add(sender: string, tasks: readonly Task[], perTransaction: number, marked = false): void {
    const utf8 = tasks[0]?.address.needsSmtpUtf8 ? ' SMTPUTF8' : '';
    const mail = `MAIL FROM:<${sender}>${utf8}`;
    const size = sender === '' ? 1 : perTransaction;
    for (let at = 0; at < tasks.length; at += size) {
      this.#push('mail', mail, null, sender);
      this.transactions += 1;
      for (let i = at; i < tasks.length && i < at + size; i += 1) {
        const task = tasks[i];
        if (task === undefined) continue;
        this.#push('rcpt', 'RCPT TO', task, sender);
        if (marked) this.#push('help', 'HELP', null, sender);
      }
      this.#push('rset', 'RSET', null, sender);
    }
    this.recipients += tasks.length;
  }

  /** The command that the next reply belongs to. */
  get next(): Command | undefined {
    return this.commands[this.#answered];
  }

  get isAnswered(): boolean {
    return this.#answered === this.commands.length;
  }

  /** False: this is not what its command can be answered with. */
  answer(reply: Reply, atMs: number): boolean {
    const command = this.next;
    if (command === undefined || !mayAnswer(command.kind, reply.code)) return false;
    command.reply = reply;
    // As evidence shows it; a whole number also needs no room of its own.
    command.answeredAtMs = Math.round(atMs);
    this.#answered += 1;
    if (reply.code >= 400) this.refusals += 1;
    const isRefused = reply.code >= 300 && reply.code !== CLOSING;
    // The RCPTs after a refused MAIL are not sent.
    if (this.#oneByOne && command.kind === 'mail' && isRefused)
      while (this.next !== undefined && this.next.kind !== 'mail') this.#answered += 1;
    return true;
  }

  fellSilent(): void {
    this.silentAt = this.next ?? null;
  }

  /** It is not known which reply belongs to which command. */
  forgetReplies(): void {
    this.refusals = 0;
    for (const command of this.commands) command.reply = null;
  }

  /** Where they go out one by one. */
  nextLine(): string {
    return this.next === undefined ? '' : lineOf(this.next);
  }

  text(): string {
    let text = '';
    for (const command of this.commands) text += lineOf(command);
    return this.quits ? `${text}QUIT\r\n` : text;
  }

  /** Seals it with this many RSETs in a row instead of the session's 221. */
  sealBy(resets: number): void {
    this.isSealed = true;
    for (let more = resets; more > 1; more -= 1) this.#push('rset', 'RSET', null, '');
  }

  /** QUIT ends the last transaction as RSET would; `keepsReset`: the reply to RSET is wanted anyway. */
  quit(keepsReset: boolean): void {
    this.quits = true;
    if (keepsReset || this.#oneByOne || this.commands.at(-1)?.kind !== 'rset') return;
    this.commands.pop();
    this.resets -= 1;
  }

  #push(kind: Command['kind'], words: string, task: Task | null, sender: string): void {
    if (kind === 'rset' || kind === 'help') this.resets += 1;
    this.commands.push({ kind, words, task, sender, reply: null, answeredAtMs: 0 });
  }
}

/** Whether a command can get such a reply; if not, the reply belongs to another (`354`, `221`, or a recipient's to RSET). */
function mayAnswer(kind: Command['kind'], code: number): boolean {
  if (code === CLOSING) return true;
  const isUnknownCommand = code >= 500 && code <= 504;
  if (kind === 'help') return code === 211 || code === 214 || isUnknownCommand;
  if (code >= 250 && code <= 259) return true;
  return kind === 'rset' ? isUnknownCommand : code >= 400;
}
