// One attempt to deliver an alert, by POST or by mail. Promise: over within its limit; never throws; a failure is one sentence
// without a secret; the same id in every attempt.
import type { Logger } from 'pino';
import { type PostOptions, post } from '../../callback/post.ts';
import { callbackHeaders } from '../../callback/sign.ts';
import { isDelivered } from '../../rules/callback-schedule.ts';
import type { AlertWays } from '../../settings/alert-settings.ts';
import { sendMail } from '../mail/send-mail.ts';
import { alertMail, readAlertBody } from './alert-message.ts';
import type { AlertWay } from './stored-alerts.ts';

export interface AlertSender {
  readonly ways: AlertWays;
  /** The guard of callbacks; mail goes to the operator's relay, wherever that is. */
  readonly target: PostOptions;
  /** For tests: what the relay's certificate is verified with. */
  readonly relayCa?: string;
  readonly log?: Pick<Logger, 'warn'>;
}

/** Null: it was delivered. */
export async function sendAlert(
  sender: AlertSender,
  message: { readonly way: AlertWay; readonly id: string; readonly body: string },
): Promise<string | null> {
  return message.way === 'post' ? sendPost(sender, message) : sendByMail(sender, message);
}

async function sendPost(
  { ways, target }: AlertSender,
  message: { readonly id: string; readonly body: string },
): Promise<string | null> {
  if (ways.post === null) return 'MXPROOF_ALERT_URL is not set.';
  const body = Buffer.from(message.body);
  const signed = { id: `alert.${message.id}`, timestampSeconds: Math.floor(Date.now() / 1_000), body };
  const headers = callbackHeaders([ways.post.secret], signed);
  const posted = await post(ways.post.url, { headers, body }, target);
  if (posted === null || posted === 'later') return 'The receiver was not to be asked now.';
  if (posted.status === null) return `The receiver at MXPROOF_ALERT_URL was not reached: ${posted.error}.`;
  return isDelivered(posted.status) ? null : `The receiver at MXPROOF_ALERT_URL answered ${posted.status}.`;
}

async function sendByMail(
  { ways, target, relayCa, log }: AlertSender,
  message: { readonly id: string; readonly body: string },
): Promise<string | null> {
  if (ways.mail === null) return 'MXPROOF_ALERT_MAIL is not set.';
  const { relay, from, to } = ways.mail;
  const mail = { from, to, id: `alert.${message.id}`, ...alertMail(readAlertBody(message.body)) };
  const sent = await sendMail(relay, mail, { ...target, ca: relayCa });
  if (sent.refused > 0) log?.warn({ refused: sent.refused }, 'the relay refused recipients of an alert');
  return sent.error;
}
