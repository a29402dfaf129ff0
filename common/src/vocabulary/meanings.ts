// What a reply of a mail server means, before anything else is known of the address. One row is everything that is said of a word;
// the engine, the command line and the OpenAPI document read it here.

import type { Detail } from './labels.ts';

interface MeaningRow {
  /** The detail word for it, where nothing finer is known of the reply. */
  readonly detail: Detail;
  /** Beside the word, on a terminal. */
  readonly brief: string;
  /** For a sender whose own message was answered so. Unset: what a check would say is true of any sender. */
  readonly explanation?: string;
  readonly senderAdvice: string;
  /**
   * Of an address about which nothing is known, since this was all that its server said; `{attempts}` is how often it was asked.
   * Unset: what is said of a server that answers, but not about the mailbox.
   */
  readonly unanswered?: string;
}

const ASK_LATER = 'The mail server asked to try again later, and still did so after {attempts}.';
const NOT_ITS_DOMAIN = 'The mail server says that it does not accept mail for this domain.';
const NOT_THE_ADDRESS = 'The mail server refused the question itself, not the address.';

export const MEANINGS = {
  accepted: {
    detail: 'accepted',
    brief: 'the server accepts it',
    explanation: 'The mail server accepts mail for this address.',
    senderAdvice:
      'Nothing to do. A server that accepts every address may still bounce the message later, so check the address if you need certainty.',
  },
  no_mailbox: {
    detail: 'no_such_mailbox',
    brief: 'the mailbox does not exist, or is closed for good',
    senderAdvice: 'Remove this address from your list: further mail to it harms your reputation as a sender.',
    unanswered:
      'The mail server refuses every address of this domain alike, so its refusal says nothing about this one.',
  },
  over_quota: {
    detail: 'mailbox_full',
    brief: 'the mailbox exists but is full',
    senderAdvice:
      'Keep the address and try again in a few days. If the mailbox is still full after several weeks, it is abandoned: remove it.',
  },
  mailbox_busy: {
    detail: 'accepted',
    brief: 'the mailbox exists and receives too much mail: retried later, then counted as accepted',
    senderAdvice: 'Keep the address and try again in an hour, more slowly.',
  },
  greylisted: {
    detail: 'greylisted',
    brief: 'greylisted: retried later from the same source address',
    explanation: 'The mail server does not know this sender yet and asks it to try again later.',
    senderAdvice:
      'Keep the address and try again from the same IP address after a few minutes; most mail servers do so by themselves.',
    unanswered: ASK_LATER,
  },
  temporary: {
    detail: 'temporary',
    brief: 'a temporary failure: retried later',
    explanation: 'The mail server has a temporary problem.',
    senderAdvice: 'Keep the address and try again in a few hours; most mail servers retry by themselves.',
    unanswered: ASK_LATER,
  },
  rate_limited: {
    detail: 'rate_limited',
    brief: 'we are sending too fast or too often: retried later, slower',
    explanation:
      'The mail server wants to hear less from this sender: too much mail, or too many connections.',
    senderAdvice: 'Keep the address, send more slowly to this provider, and try again in a few hours.',
    unanswered: 'The mail server may be asked only so often, and gave no answer in time.',
  },
  too_many_recipients: {
    detail: 'temporary',
    brief: 'too many recipients: the rest goes into another transaction',
    explanation: 'The message had more recipients than the mail server takes at a time.',
    senderAdvice: 'Keep the address and send again with fewer recipients per message.',
    unanswered: ASK_LATER,
  },
  blocked: {
    detail: 'blocked',
    brief: 'about us: a block list, a policy, our host name or IP address',
    explanation:
      'The mail server refuses the sender: its IP address, its domain, its authentication or its reputation.',
    senderAdvice:
      'Keep the address: it may exist. Find out why your server is refused (block lists, SPF, DKIM, DMARC, reverse DNS), correct that, and send again.',
    unanswered: 'The mail server refuses to talk to this service, whichever address is asked about.',
  },
  sender_refused: {
    detail: 'sender_refused',
    brief: 'about our sender address',
    explanation: 'The mail server refuses the sender address of the message.',
    senderAdvice:
      'Keep the address: it may exist. Check that your sender address exists and that its domain has MX and SPF records, then send again.',
    unanswered: 'The mail server refuses the sender address that this service asks with.',
  },
  tls_required: {
    detail: 'tls_failed',
    brief: 'the server requires TLS',
    explanation: 'The mail server insists on an encrypted connection.',
    senderAdvice: 'Keep the address, switch STARTTLS on in your mail server, and send again.',
    unanswered: 'The mail server insists on an encrypted connection that could not be established.',
  },
  tenant_lapsed: {
    detail: 'tenant_lapsed',
    brief: 'the provider runs no mail service for the domain at present',
    senderAdvice:
      'Keep the address and try again in a few weeks. If it is still so, remove it: the domain has no mail service.',
    unanswered: NOT_ITS_DOMAIN,
  },
  relay_denied: {
    detail: 'unclear',
    brief: 'this host does not accept mail for the domain',
    explanation: 'The mail server does not accept mail for the domain of this address.',
    senderAdvice:
      'Check the spelling of the domain. If it is right, its MX records may be wrong: tell the owner of the domain by other means.',
    unanswered: NOT_ITS_DOMAIN,
  },
  content: {
    detail: 'unclear',
    brief: 'about a message; none was sent',
    explanation: 'The mail server refused the message, not the address.',
    senderAdvice:
      'Keep the address: it may exist. Change what was refused (size, attachment, link or wording) and send again.',
    unanswered: NOT_THE_ADDRESS,
  },
  protocol: {
    detail: 'unclear',
    brief: 'a command or parameter was rejected',
    explanation: 'The mail server refused a command or did not understand it.',
    senderAdvice: 'Keep the address. Check how your mail server speaks SMTP, then send again.',
    unanswered: NOT_THE_ADDRESS,
  },
  unclear: {
    detail: 'unclear',
    brief: 'the reply says nothing about the mailbox',
    explanation: 'The reply does not say whether the mailbox exists.',
    senderAdvice:
      'Keep the address: the reply does not say that the mailbox is missing. Read the words of the server, or ask the recipient by other means.',
    unanswered: 'The mail server answered, but not in words that say whether this mailbox exists.',
  },
} as const satisfies Record<string, MeaningRow>;

export type Meaning = keyof typeof MEANINGS;
export const MEANING_WORDS = Object.keys(MEANINGS) as readonly Meaning[];

export function meaningRow(meaning: Meaning): MeaningRow {
  return MEANINGS[meaning];
}
