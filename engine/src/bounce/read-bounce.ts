// What the replies in a pasted text mean, and what to do about each. Pure.
// Promise: a report is made of our own words and numbers only: no address, no host and no sentence of the text is in it.
import { providerOf } from '../domain/provider.ts';
import type { Clarity, Detail, Meaning, Reason, State } from '../types.ts';
import { replyFromText } from '../verdict/parse-reply-text.ts';
import { readAtStage, type StagedReading, verdictOn } from '../verdict/read-at-stage.ts';
import { explainReply, replyAdvice } from '../verdict/reply-advice.ts';
import { findReplies, type RecipientReplies } from './find-replies.ts';
import type { FoundReply } from './found-reply.ts';
import { readNoReply } from './no-reply.ts';
import { saidIn, stageIn } from './said-in.ts';

export interface ReplyReport {
  readonly meaning: Meaning;
  readonly clarity: Clarity;
  /** What decided, for people. */
  readonly rule: string;
  /** What a check would say of an address answered so. */
  readonly state: State;
  readonly reason: Reason;
  readonly detail: Detail;
  readonly explanation: string;
  readonly advice: string;
}

/** One reply, at RCPT unless it says otherwise itself. */
export function reportReply(text: string): ReplyReport {
  return report(readAtStage(stageIn(text) || 'rcpt', text, ''), text);
}

/**
 * What the reply to a message that was sent says of its recipient. Where it does not name the command that was refused, it may have
 * come after DATA: then only words that are about the mailbox are.
 */
export function readBounced(text: string, provider: string, recipient: string): StagedReading {
  return readAtStage(stageIn(text) || 'data', saidIn(text) ?? text, provider, recipient);
}

/** One for each recipient, made when it is asked for: reading a thousand takes a while. No answer is read twice. */
export function* readBounce(text: string): Generator<ReplyReport> {
  const found = findReplies(text);
  const read: KnownReports = new Map();
  for (const replies of found) yield readRecipient(replies, read);
  if (found.length === 0) {
    const only = readSentence(text);
    if (only !== null) yield only;
  }
}

/** The longest sentence that may be a reply without a number. */
const MAX_SENTENCE_CHARS = 1_000;

/** A text that quotes nothing may be a reply itself: `250 2.1.5 Ok`, or known words without a number. */
function readSentence(text: string): ReplyReport | null {
  if (text.trim() === '' || text.length > MAX_SENTENCE_CHARS) return null;
  const isReply = /^\s{0,8}[23]\d\d(?:[ -]|\s{0,8}$)/.test(text);
  const reading = readAtStage('rcpt', text, '');
  return isReply || reading.by === 'wording' ? report(reading, text) : null;
}

/** Those of one text, by what they are made from: recipients of one line of a log share its answer, which may be long. */
type KnownReports = Map<string, ReplyReport>;

/** The first place whose words say something. */
function readRecipient(replies: RecipientReplies, known: KnownReports): ReplyReport {
  let first: ReplyReport | null = null;
  for (const found of replies) {
    const key = `${found.outcome} ${found.stage} ${found.host} ${found.said}`;
    const read = known.get(key) ?? readFound(found);
    known.set(key, read);
    if (read.meaning !== 'unclear') return read;
    first ??= read;
  }
  return first ?? report(readAtStage('rcpt', '', ''), '');
}

function readFound(found: FoundReply): ReplyReport {
  const { said, outcome, host } = found;
  const provider = host === '' ? '' : providerOf(host);
  if (outcome === 'delivered') {
    const reading = readAtStage('rcpt', '250', provider);
    return report({ ...reading, rule: 'delivered' }, said);
  }
  const noReply = saidIn(said) === null || !hasCode(said) ? readNoReply(said, outcome === 'delayed') : null;
  if (noReply !== null) {
    const { meaning, rule, facts } = noReply;
    const verdict = verdictOn(facts);
    return report(
      { meaning, rule, clarity: 'plain', by: 'connection', retryAfterMs: null, ...verdict },
      said,
    );
  }
  return report(readAtStage(stageFor(found), said, provider, found.recipient), said);
}

/** Where nothing says what was answered: a number alone is about the mailbox only if its status says so. */
function stageFor({ stage, said }: FoundReply): string {
  if (stage !== '') return stage;
  return replyFromText(said).enhanced === null ? 'unknown' : 'rcpt';
}

function hasCode(said: string): boolean {
  return replyFromText(said).code !== 0;
}

function report(reading: StagedReading, text: string): ReplyReport {
  const { meaning, rule, state, reason, detail } = reading;
  const clarity = clarityOf(reading, text);
  if (meaning === 'no_mailbox' && clarity === 'vague' && reading.by === 'code')
    return { meaning, clarity, rule, state, reason, detail, ...BY_NUMBER_ALONE };
  const explanation = explainReply({ reason, detail }, meaning);
  return { meaning, clarity, rule, state, reason, detail, explanation, advice: replyAdvice(reading, text) };
}

/** A text without a number and without known words is no reply that anything could be clear of. */
function clarityOf({ meaning, clarity, by }: StagedReading, text: string): Clarity {
  return meaning === 'unclear' && by === 'code' && !hasCode(text) ? 'vague' : clarity;
}

/** Of a number that most often means a missing mailbox, without words that say so. */
const BY_NUMBER_ALONE = {
  explanation:
    'The mail server refused this address, most likely because the mailbox does not exist; its reply does not say why.',
  advice:
    'Check the address before you remove it: the reply gives a number without a reason, and another one is possible.',
} as const;
