// What a reply says, and what to do about it, for someone whose own message was answered so. Pure.
// Promise: every word is ours. The reply only chooses among these sentences, so that nothing it says (an address, a
// link, a lie) can reach a reader through them. A new meaning does not compile until it has its sentences.
import type { Detail, Evidence, Meaning, Verdict } from '../types.ts';
import { explain } from './explain.ts';
import { replyWords } from './reply-words.ts';

interface ReplySentences {
  /** null: what a check would say (explain.ts) is true of any sender. */
  readonly explanation: string | null;
  readonly advice: string;
}

const TRY_LATER = 'Keep the address and try again in a few hours; most mail servers retry by themselves.';
const READ_IT = 'Keep the address: the reply does not say that the mailbox is missing.';

const BY_MEANING: Readonly<Record<Meaning, ReplySentences>> = {
  accepted: {
    explanation: 'The mail server accepts mail for this address.',
    advice:
      'Nothing to do. A server that accepts every address may still bounce the message later, so check the address if you need certainty.',
  },
  no_mailbox: {
    explanation: null,
    advice: 'Remove this address from your list: further mail to it harms your reputation as a sender.',
  },
  over_quota: {
    explanation: null,
    advice:
      'Keep the address and try again in a few days. If the mailbox is still full after several weeks, it is abandoned: remove it.',
  },
  mailbox_busy: { explanation: null, advice: 'Keep the address and try again in an hour, more slowly.' },
  greylisted: {
    explanation: 'The mail server does not know this sender yet and asks it to try again later.',
    advice:
      'Keep the address and try again from the same IP address after a few minutes; most mail servers do so by themselves.',
  },
  temporary: { explanation: 'The mail server has a temporary problem.', advice: TRY_LATER },
  rate_limited: {
    explanation:
      'The mail server wants to hear less from this sender: too much mail, or too many connections.',
    advice: 'Keep the address, send more slowly to this provider, and try again in a few hours.',
  },
  too_many_recipients: {
    explanation: 'The message had more recipients than the mail server takes at a time.',
    advice: 'Keep the address and send again with fewer recipients per message.',
  },
  blocked: {
    explanation:
      'The mail server refuses the sender: its IP address, its domain, its authentication or its reputation.',
    advice:
      'Keep the address: it may exist. Find out why your server is refused (block lists, SPF, DKIM, DMARC, reverse DNS), correct that, and send again.',
  },
  sender_refused: {
    explanation: 'The mail server refuses the sender address of the message.',
    advice:
      'Keep the address: it may exist. Check that your sender address exists and that its domain has MX and SPF records, then send again.',
  },
  tls_required: {
    explanation: 'The mail server insists on an encrypted connection.',
    advice: 'Keep the address, switch STARTTLS on in your mail server, and send again.',
  },
  relay_denied: {
    explanation: 'The mail server does not accept mail for the domain of this address.',
    advice:
      'Check the spelling of the domain. If it is right, its MX records may be wrong: tell the owner of the domain by other means.',
  },
  content: {
    explanation: 'The mail server refused the message, not the address.',
    advice:
      'Keep the address: it may exist. Change what was refused (size, attachment, link or wording) and send again.',
  },
  protocol: {
    explanation: 'The mail server refused a command or did not understand it.',
    advice: 'Keep the address. Check how your mail server speaks SMTP, then send again.',
  },
  tenant_lapsed: {
    explanation: null,
    advice:
      'Keep the address and try again in a few weeks. If it is still so, remove it: the domain has no mail service.',
  },
  unclear: {
    explanation: 'The reply does not say whether the mailbox exists.',
    advice: `${READ_IT} Read the words of the server, or ask the recipient by other means.`,
  },
};

/** A block with the detail `unclear`: nothing that the sender could correct. */
const RECIPIENT_POLICY: ReplySentences = {
  explanation: 'The recipient, or their organization, does not accept mail from this sender.',
  advice: 'Keep the address: it may exist. Ask the recipient by other means to allow your sender address.',
};

function sentencesOf(meaning: Meaning, detail: Detail): ReplySentences {
  return meaning === 'blocked' && detail === 'unclear' ? RECIPIENT_POLICY : BY_MEANING[meaning];
}

/** Where the detail calls for something else than the meaning does. */
const BY_DETAIL: Readonly<Partial<Record<Detail, string>>> = {
  mailbox_disabled: 'Remove this address from your list: its mailbox has been closed.',
  mailbox_moved: 'Remove this address, and ask its owner for the new one by other means.',
  no_such_domain: 'Check the spelling of the domain; if it is right, remove this address.',
  no_mx: 'Check the spelling of the domain; if it is right, remove this address.',
  null_mx: 'Remove this address: its domain accepts no mail.',
  dns_failed: TRY_LATER,
  timeout: `${TRY_LATER} If it is always so, check the firewall of your server and the spelling of the domain.`,
  connection_refused: `${TRY_LATER} If it is always so, check the spelling of the domain.`,
  connection_lost: TRY_LATER,
  tls_failed: BY_MEANING.tls_required.advice,
};

/** Who blocks, and where to ask about it. */
const BLOCK_LISTS: readonly (readonly [name: RegExp, where: string])[] = [
  [/spamhaus/, 'Spamhaus: look your sending IP address up at check.spamhaus.org and follow its steps.'],
  [
    /sender\.office\.com|banned sending ip/,
    'Microsoft: ask for the release of your sending IP address at sender.office.com.',
  ],
  [/barracuda/, 'Barracuda: look your sending IP address up at barracudacentral.org/lookups.'],
  [/spamcop/, 'SpamCop: look your sending IP address up at spamcop.net/bl.shtml.'],
  [/proofpoint/, 'Proofpoint: look your sending IP address up at ipcheck.proofpoint.com.'],
];

/** `text`: what the server said, to find the block list in; its addresses do not count. */
export function replyAdvice({ meaning, detail, retryAfterMs }: AdvisedReading, text: string): string {
  const advice = BY_DETAIL[detail] ?? sentencesOf(meaning, detail).advice;
  if (meaning === 'blocked') {
    const { words, links } = replyWords([text]);
    const where = BLOCK_LISTS.find(([name]) => name.test(words) || name.test(links))?.[1];
    if (where !== undefined) return `${advice} ${where}`;
  }
  return retryAfterMs === null ? advice : `${advice} The server asks you to wait ${inWords(retryAfterMs)}.`;
}

interface AdvisedReading {
  readonly meaning: Meaning;
  readonly detail: Detail;
  /** A delay that the reply names. */
  readonly retryAfterMs: number | null;
}

export function explainReply(
  outcome: Pick<Verdict, 'reason' | 'detail'>,
  meaning: NonNullable<Evidence['meaning']>,
): string {
  const own = sentencesOf(meaning, outcome.detail).explanation;
  // Without a reply there is nothing to say of one.
  const isSilence = outcome.reason !== 'unavailable_smtp' && outcome.reason !== 'accepted_email';
  if (own !== null && !isSilence && outcome.detail !== 'connection_lost') return own;
  return explain({ ...outcome, acceptAll: false }, { meaning, attempts: 1 });
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

function inWords(ms: number): string {
  if (ms >= 2 * HOUR_MS) return count(ms / HOUR_MS, 'hour');
  return ms >= 2 * MINUTE_MS ? count(ms / MINUTE_MS, 'minute') : count(ms / 1_000, 'second');
}

function count(amount: number, unit: string): string {
  const whole = Math.ceil(amount);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
