// Sends what is to be sent, and remembers what came of it.
// Promise: at least once, with the same id each time: a node that ends between sending and writing leaves the message to be
// sent again. What no receiver takes for a day is given up, with a line in the log.
import type { Logger } from 'pino';
import type { Database } from '../../store/database.ts';
import { type AlertSender, sendAlert } from './send-alert.ts';
import {
  type AlertWay,
  type ClaimedAlertMessage,
  claimAlertMessages,
  postponeAlertMessage,
  removeAlertMessage,
} from './stored-alerts.ts';

const FIRST_DELAY_SECONDS = 30;
const MAX_DELAY_SECONDS = 600;
const GIVEN_UP_AFTER_SECONDS = 24 * 3_600;

export function waysOf({ ways }: AlertSender): AlertWay[] {
  return [...(ways.post === null ? [] : ['post' as const]), ...(ways.mail === null ? [] : ['mail' as const])];
}

/** Resolves when every message that was due has been tried once. */
export async function deliverAlerts(db: Database, sender: AlertSender, log: Logger): Promise<void> {
  const claimed = await claimAlertMessages(db, waysOf(sender));
  await Promise.all(claimed.map((message) => deliver(db, sender, log, message)));
}

async function deliver(
  db: Database,
  sender: AlertSender,
  log: Logger,
  message: ClaimedAlertMessage,
): Promise<void> {
  const { seq, way, condition, attempts } = message;
  // A message that cannot be read is given up in the end, as one that no receiver takes.
  const error = await sendAlert(sender, message).catch(() => 'The message could not be made.');
  if (error === null) {
    log.info({ condition, way, attempts }, 'alert sent');
    return removeAlertMessage(db, seq);
  }
  if (message.ageSeconds > GIVEN_UP_AFTER_SECONDS) {
    log.error({ condition, way, attempts, error }, 'alert given up');
    return removeAlertMessage(db, seq);
  }
  log.warn({ condition, way, attempts, error }, 'alert not sent, retrying');
  await postponeAlertMessage(db, message, delayAfter(attempts), error);
}

function delayAfter(attempts: number): number {
  return Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** Math.min(attempts - 1, 10));
}
