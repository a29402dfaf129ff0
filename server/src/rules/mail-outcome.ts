// What became of a mail, as a sender says it, and as it is kept once the words of the mail server were read.

export const MAIL_OUTCOMES = ['delivered', 'bounced', 'complained'] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

/** Of a request. */
export const MAX_OUTCOMES = 10_000;
export const MAX_OUTCOME_REPLY_CHARACTERS = 4_000;
export const MAX_OUTCOME_ID_CHARACTERS = 255;

export interface GivenOutcome {
  /** As it was submitted to checks: trimmed and lower-cased. */
  readonly email: string;
  readonly outcome: MailOutcome;
  /** Empty: none was given. */
  readonly reply: string;
  /** Null: now. */
  readonly atSeconds: number | null;
  /** Null: address, outcome and day tell a repeat. */
  readonly id: string | null;
}
