// What a reply says, and what to do about it, for someone whose own message was answered so. Pure.
// Promise: every word is ours. The reply only chooses among these sentences, so that nothing it says (an address, a
// link, a lie) can reach a reader through them. A new meaning does not compile until it has its sentences.
import { DETAILS } from '@mxproof/common/vocabulary/details';
import { meaningRow } from '@mxproof/common/vocabulary/meanings';
import type { Detail, Evidence, Meaning, Verdict } from '../types.ts';
import { explain } from './explain.ts';
import { replyWords } from './reply-words.ts';

/** A block with the detail `unclear`: nothing that the sender could correct. */
const RECIPIENT_POLICY = {
  explanation: 'The recipient, or their organization, does not accept mail from this sender.',
  senderAdvice:
    'Keep the address: it may exist. Ask the recipient by other means to allow your sender address.',
};

function sentencesOf(meaning: Meaning, detail: Detail): { explanation?: string; senderAdvice: string } {
  return meaning === 'blocked' && detail === 'unclear' ? RECIPIENT_POLICY : meaningRow(meaning);
}

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
  const advice = DETAILS[detail].senderAdvice ?? sentencesOf(meaning, detail).senderAdvice;
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
  if (own !== undefined && !isSilence && outcome.detail !== 'connection_lost') return own;
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
