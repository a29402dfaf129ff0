// What became of mail to an address, as a file tells it, and what a reader of such a file hands over.

export const OUTCOMES = ['delivered', 'bounced', 'complained'] as const;
export type OutcomeWord = (typeof OUTCOMES)[number];

export interface Outcome {
  /** Trimmed and in lower case. */
  readonly email: string;
  readonly outcome: OutcomeWord;
  /** What the mail server said; empty: it is not known, or does not matter. At most MAX_REPLY_CHARS. */
  readonly reply: string;
  /** Unix seconds; null: the file does not say when. */
  readonly at: number | null;
  /** The sending service's own name for this event; empty: the file has none. */
  readonly id: string;
  /** What tells two events of the same address apart where there is no id, such as a time and a queue id. */
  readonly origin: string;
}

/** As much as the reader of replies looks at, and twice what mail servers write. */
export const MAX_REPLY_CHARS = 2_000;
/** The service takes no longer ones. */
export const MAX_EMAIL_CHARS = 1_000;
export const MAX_ID_CHARS = 200;

export interface OutcomeHandlers {
  onOutcome(outcome: Outcome): void;
  /** Something that is no evidence: mail on its way, an opened message, a recipient on a suppression list. `word`: what it is called. */
  onIgnored(word: string): void;
  /** A row, record or report that names no address, or is damaged. */
  onUnreadable(): void;
  /** Awaited before more of the file is read. */
  drained?(): Promise<void>;
}

/** Takes the text of a file in pieces, cut anywhere. */
export interface TextReader {
  push(text: string): void;
  end(): void;
}

const ADDRESS = /^[^\s@<>,;"][^\s<>,;]{0,998}@[^\s@<>,;"]{1,255}$/;

/** Null: it is no address. `<ann@example.com>` is one. */
export function emailOf(text: string): string | null {
  if (text.length > MAX_EMAIL_CHARS) return null;
  const email = text
    .trim()
    .replace(/^<([^<>]*)>$/, '$1')
    .toLowerCase();
  return ADDRESS.test(email) ? email : null;
}

/** What a row, a line or a record says. `ignored`: no evidence, by the word it is called. Null: it cannot be read. */
export type Reading = Outcome | { readonly ignored: string } | null;

/** Of a list of the sender's own: the mail was never sent, so this is no news of the mailbox. */
const ECHO = /\bsuppress|marked as inactive/i;

export function handOn(reading: Reading, handlers: OutcomeHandlers): void {
  if (reading === null) handlers.onUnreadable();
  else if ('ignored' in reading) handlers.onIgnored(reading.ignored);
  else if (ECHO.test(reading.reply)) handlers.onIgnored('suppressed');
  else handlers.onOutcome(reading);
}
