// What a bounce says, by the words of the mail server alone: never by what the sending service calls it.
import type { BouncedReading } from '../../http/body/body-pool.ts';

/** `bounced`: there is no such mailbox. `full`, `blocked`: about the mailbox's quota, or the sender. `unclear`: nothing certain. */
export type BounceOutcome = 'bounced' | 'full' | 'blocked' | 'unclear';

/** The sender, its message or how it sends was refused, whatever becomes of the mailbox. */
const ABOUT_THE_SENDER: ReadonlySet<string> = new Set([
  'blocked',
  'content',
  'sender_refused',
  'rate_limited',
  'tls_required',
]);

export function bounceOutcomeOf({ meaning, reason }: BouncedReading): BounceOutcome {
  if (meaning === 'no_mailbox' && reason === 'rejected_email') return 'bounced';
  if (meaning === 'over_quota') return 'full';
  return ABOUT_THE_SENDER.has(meaning) ? 'blocked' : 'unclear';
}

/** What services say where they sent nothing, since the address is on a list of theirs: it repeats an earlier bounce. */
const ECHOES: readonly RegExp[] = [
  /\bsuppress(?:ed|ion)\b/i,
  /\bnot delivering to (?:a )?previously (?:bounced|unsubscribed|complained)\b/i,
  /^\s{0,8}(?:bounced|unsubscribed|spam reporting) address\s{0,8}$/i,
  /\bmarked as inactive\b/i,
];

export function isEcho(reply: string): boolean {
  return ECHOES.some((echo) => echo.test(reply));
}
