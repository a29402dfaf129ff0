// A message as a mail server sends it back → what it reports: which addresses a delivery failed for for good (RFC 3464), and which
// recipient complained (RFC 5965). Pure.
// Promises: only `Action: failed` is a bounce, and only `Feedback-Type: abuse` a complaint; what a person has written, quoted or
// forwarded is neither; linear in the length of the text, cut at MAX_BOUNCE_CHARS; never throws.
import { bounceRecords } from './bounce-records.ts';
import { linesOf } from './decode-part.ts';
import { addressesIn } from './find-addresses.ts';
import { findReplies, MAX_BOUNCE_CHARS, MAX_RECIPIENTS } from './find-replies.ts';
import { parseMessage } from './mime-parts.ts';
import { stageIn } from './said-in.ts';
import { StatusFields } from './status-fields.ts';

export interface Reported {
  /** In lower case: as it was written to, where the report says so. */
  readonly email: string;
  readonly outcome: 'bounced' | 'complained';
  /** What the mail server said; empty: nothing, or a complaint. */
  readonly reply: string;
}

export interface MessageReport {
  readonly reported: readonly Reported[];
  /** The header `Date` as it stands there; empty: none. */
  readonly date: string;
  /** The header `Message-ID`; empty: none. */
  readonly messageId: string;
  /** A report of one of these kinds, though perhaps about no recipient that it names. */
  readonly isReport: boolean;
}

const STATUS = /^message\/(?:global-)?delivery-status$/;
const FEEDBACK = 'message/feedback-report';

/** Null: not a message. */
export function readReport(text: string): MessageReport | null {
  const bounded = text.slice(0, MAX_BOUNCE_CHARS);
  const message = parseMessage(linesOf(bounded));
  if (message === null) return null;
  const reported = new Map<string, Reported>();
  const status = message.parts.filter(({ type }) => STATUS.test(type));
  const feedback = message.parts.filter(({ type }) => type === FEEDBACK);
  const stages = status.length === 0 ? NO_STAGES : stagesIn(bounded);
  for (const { lines } of status)
    for (const [email, said] of failedIn(lines))
      if (reported.size < MAX_RECIPIENTS && !reported.has(email))
        reported.set(email, { email, outcome: 'bounced', reply: withStage(said, stages.get(email)) });
  for (const { lines } of feedback)
    for (const email of complainersIn(lines))
      if (reported.size < MAX_RECIPIENTS) reported.set(email, { email, outcome: 'complained', reply: '' });
  const { date, messageId } = message;
  return {
    reported: [...reported.values()],
    date,
    messageId,
    isReport: status.length > 0 || feedback.length > 0,
  };
}

function* failedIn(lines: readonly string[]): Generator<readonly [email: string, said: string]> {
  const fields = new StatusFields('original');
  // The blank record behind the last ends its group.
  for (const record of [...bounceRecords(lines), '']) {
    if (record !== '') {
      fields.take(record);
      continue;
    }
    const found = fields.end();
    if (found?.outcome === 'failed' && found.recipient.includes('@')) yield [found.recipient, found.said];
  }
}

const NO_STAGES: ReadonlyMap<string, string> = new Map();

/** A server that writes in its sentence which command was answered leaves it out of the fields. */
function stagesIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    findReplies(text).map((places) => [places[0]?.recipient ?? '', places[0]?.stage ?? ''] as const),
  );
}

function withStage(said: string, stage: string | undefined): string {
  return stage === 'rcpt' && stageIn(said) === '' ? `${said} (in reply to RCPT TO command)` : said;
}

function complainersIn(lines: readonly string[]): readonly string[] {
  let isComplaint = false;
  const found: string[] = [];
  for (const record of bounceRecords(lines)) {
    const colon = record.indexOf(':');
    const name = record.slice(0, Math.max(colon, 0)).toLowerCase();
    const value = record.slice(colon + 1);
    if (name === 'feedback-type') isComplaint = /^\s{0,16}abuse\b/i.test(value);
    else if (name === 'original-rcpt-to' && found.length < MAX_RECIPIENTS)
      found.push(...addressesIn(value, 1));
  }
  return isComplaint ? found : [];
}
