// The two senders there are, the configured one and `<>`, and which of them one mail host accepts. Decides, touches nothing.
import type { Task } from '../../../check/state/task.ts';

/** Bits, here and in Task.sendersRefused. */
const CONFIGURED_SENDER = 1;
const NULL_SENDER = 2;
const EVERY_SENDER = CONFIGURED_SENDER | NULL_SENDER;

export function senderBit(sender: string): number {
  return sender === '' ? NULL_SENDER : CONFIGURED_SENDER;
}

export class HostSenders {
  #accepted = 0;
  #refused = 0;

  /** Senders of one flight, as bits: one that was accepted as well as refused counts as accepted. */
  landed(accepted: number, refused: number): void {
    this.#accepted |= accepted;
    this.#refused |= refused & ~accepted;
  }

  refused(sender: string): void {
    this.#refused |= senderBit(sender);
  }

  hasAccepted(sender: string): boolean {
    return (this.#accepted & senderBit(sender)) !== 0;
  }

  get refusedBits(): number {
    return this.#refused;
  }

  get hasRefusedAll(): boolean {
    return this.#refused === EVERY_SENDER;
  }
}

/** The sender a recipient is asked with here: its bound one, else the configured one, else what the host accepts. */
export function senderFor(
  task: Task,
  host: { readonly senders: Pick<HostSenders, 'refusedBits'> },
  mailFrom: string,
): string {
  if (task.boundSender !== null && (task.sendersRefused & senderBit(task.boundSender)) === 0)
    return task.boundSender;
  const refused = task.sendersRefused | host.senders.refusedBits;
  if (mailFrom !== '' && (refused & CONFIGURED_SENDER) !== 0 && (refused & NULL_SENDER) === 0) return '';
  return mailFrom;
}
