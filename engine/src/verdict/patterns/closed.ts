// The mailbox was there and is closed. Read before the topics about us: providers close mailboxes in the words
// of a block ("blocked due to inactivity", "suspended for spamming"), and only the subject tells them apart.
import type { ReplyRow } from '../reply-row.ts';

export const CLOSED_ROWS: readonly ReplyRow[] = [
  {
    match:
      /temporar(?:y|ily) (?:\S+ )?(?:locked|disabled|suspended|inactive|unavailable|blocked|closed|deactivated|unknown|not available|on hold)|(?:locked|disabled|suspended|unavailable|blocked) temporar|locked by another|(?:mail ?box|user|account) (?:is )?(?:busy|in use by)|at this (?:time|moment)/,
    means: 'temporary',
    seen: '550 5.7.1 <info@example.com>: Recipient address rejected: User info@example.com temporary locked. Please try again later!',
  },
  {
    match: /(?:message )?sending for this account|account[^.]{0,20} (?:not allowed|permitted) to send/,
    means: 'sender_refused',
    seen: '550 message sending for this account is disabled',
  },
  {
    match:
      /\binactivity\b|recipient suspend|(?:account|mailbox|user) inactiv|no longer (?:valid|available|active|in (?:use|service)|accept\w*|used|receiv\w*|monitored|in operation|supported|on server)|not currently being accepted|(?:mail ?box|account|recipient)[^.]{0,20} not accepting (?:any )?(?:mail|messages|e-?mails?)(?! from| with| of)/,
    means: 'no_mailbox',
    seen: '550 5.2.1 This mailbox has been blocked due to inactivity (UserSearch)',
  },
  {
    match:
      /(?<!your |sender |sender's |sending )(?:account|mail ?box|recipient|addressee|user|(?:e-?mail )?address|alias|inbox)(?: MAIL| NAME| here| that you tried to reach| address|:|\.{3})* (?:is |was |are |has been |have been |had been |has |currently |being |been |now |temporarily |administratively )*(?:disabled|deactivated|de-activated|inactive|suspended|closed|terminated|cancell?ed|deleted|removed|expired|discontinued|frozen|archived|retired|dormant|abandoned|unsubscribed|not active|no longer active|locked)\b/,
    means: 'no_mailbox',
    seen: '550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.example.com/mail/?p=DisabledUser',
  },
  {
    match:
      /\b(?:disabled|deactivated|inactive|suspended|closed|terminated|cancell?ed|deleted|expired|discontinued|archived|dormant|unused|locked)(?: or \w+)? (?:e-?mail )?(?:account|mail ?box|recipient|user|address|alias)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 <info@example.com>: inactive email address',
  },
];
