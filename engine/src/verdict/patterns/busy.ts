// The mailbox exists and receives too much mail at the moment. Such a deferral counts as accepted once the retries are
// exhausted, so every row names the mailbox, its user or the recipient as the receiving side, and each has been seen
// with a 4xx. Words about the sender or the server as a whole are rate limits (rate.ts), and so are these with a 5xx.
import type { ReplyRow } from '../reply-row.ts';

export const BUSY_ROWS: readonly ReplyRow[] = [
  {
    match:
      /\b(?:user|mail ?box|recipient|account)\b[^.;]{0,80} receiving (?:e-?mails?|mails?|messages) (?:at a rate that|too (?:quickly|fast))(?![^.;]{0,60}\bfrom (?:you|your|this|the sender|IP|HOST|MAIL)\b)/,
    means: 'mailbox_busy',
    seen: '450-4.2.1 The user you are trying to contact is receiving mail at a rate that 450-4.2.1 prevents additional messages from being delivered. Please resend your 450-4.2.1 message at a later time. If the user is able to receive mail at that 450 4.2.1 time, your message will be delivered.',
  },
  {
    // Rackspace, whose filter looks the recipient up before (its G6 is that lookup failing).
    match: /\bmail ?box received too much e-?mail\b/,
    means: 'mailbox_busy',
    seen: '450 4.2.1 <info@example.com>: Mailbox received too much email in a short period of time (G30)',
  },
  {
    // Yandex: the limit is the recipient's own.
    match: /\brecipient (?:MAIL )?has exceeded (?:their|its|his|her) message rate limit\b/,
    means: 'mailbox_busy',
    seen: '451 4.5.1 The recipient <info@example.com> has exceeded their message rate limit. Try again later.',
  },
  {
    // Exchange's store, which has the mailbox open; the sender's thread limit is another sentence.
    match: /\brecipient thread limit exceeded\b/,
    means: 'mailbox_busy',
    seen: '432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded',
  },
];
