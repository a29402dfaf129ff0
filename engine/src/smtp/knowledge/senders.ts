// The two senders there are: the configured one and `<>`. Which a host takes is kept as bits. Decides, touches nothing.
import type { Task } from '../session/task.ts';
import type { Exchanger } from './exchanger.ts';

/** Bits for Task.sendersRefused and Exchanger.sendersTaken. */
const CONFIGURED_SENDER = 1;
const NULL_SENDER = 2;

export function senderBit(sender: string): number {
  return sender === '' ? NULL_SENDER : CONFIGURED_SENDER;
}

/** The sender a recipient is asked with here: its bound one, else the configured one, else what the host takes. */
export function senderFor(task: Task, exchanger: Exchanger, mailFrom: string): string {
  if (task.boundSender !== null && (task.sendersRefused & senderBit(task.boundSender)) === 0)
    return task.boundSender;
  const refused = task.sendersRefused | exchanger.sendersRefused;
  if (mailFrom !== '' && (refused & CONFIGURED_SENDER) !== 0 && (refused & NULL_SENDER) === 0) return '';
  return mailFrom;
}
