// The stage a reply was given at, by the word a person or a log has for it → how the engine is to read it.
//   before RCPT   no mailbox was named yet: neither a yes nor a no is about one
//   rcpt          the question itself: words, else numbers
//   elsewhere     DATA, the end of a message, or a word nobody knows: the mailbox only where words say so
import { meaningOutcome, type ReplyReading, readReply, replyFromText, type Stage } from '@mxproof/engine';

export const STAGES: readonly Stage[] = ['connect', 'banner', 'ehlo', 'starttls', 'mail', 'rcpt', 'rset'];
export const LATER_STAGE = 'data';

const OTHER_WORDS: Readonly<Record<string, Stage>> = {
  auth: 'ehlo',
  connection: 'connect',
  greeting: 'banner',
  helo: 'ehlo',
  hello: 'ehlo',
  mailfrom: 'mail',
  rcptto: 'rcpt',
  recipient: 'rcpt',
  vrfy: 'rcpt',
};

/** null: at or after DATA, or not a stage at all. */
function stageOf(word: string): Stage | null {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '');
  if (Object.hasOwn(OTHER_WORDS, letters)) return OTHER_WORDS[letters] ?? null;
  return STAGES.find((stage) => stage === letters) ?? null;
}

export interface StagedReading extends ReplyReading, ReturnType<typeof meaningOutcome> {}

export function readAtStage(word: string, text: string, provider: string): StagedReading {
  const stage = stageOf(word);
  const reading = readReply(stage ?? 'rcpt', replyFromText(text), provider);
  if (stage === 'rcpt') return { ...reading, ...meaningOutcome(reading.meaning) };
  if (stage !== null) return { ...reading, ...meaningOutcome('unclear') };
  if (reading.meaning === 'accepted') return { ...reading, ...meaningOutcome('unclear') };
  const byNumber = /^(?:enhanced )?code /.test(reading.rule);
  const aboutMailbox = reading.meaning === 'no_mailbox' || reading.meaning === 'over_quota';
  const meaning = byNumber && aboutMailbox ? 'unclear' : reading.meaning;
  return { ...reading, meaning, ...meaningOutcome(meaning) };
}
