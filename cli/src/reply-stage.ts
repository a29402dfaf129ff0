// The stage of a reply, as a person or a log names it → how the engine reads the reply.
//   before RCPT   no mailbox was named yet: no reply is about one
//   rcpt          the question itself: words, else numbers
//   elsewhere     DATA, the end of a message, or an unknown stage: about the mailbox only where the words say so
import { meaningOutcome, type ReplyReading, readReply, replyFromText, type Stage } from '@mxproof/engine';
import { STAGES } from './reply-stages.ts';

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
  const reply = replyFromText(text);
  const reading = readReply(stage ?? 'rcpt', reply, provider);
  if (stage === 'rcpt') return { ...reading, ...meaningOutcome(reading.meaning) };
  if (stage !== null) return { ...reading, ...meaningOutcome('unclear') };
  if (reading.meaning === 'accepted') return { ...reading, ...meaningOutcome('unclear') };
  const aboutMailbox = reading.meaning === 'no_mailbox' || reading.meaning === 'over_quota';
  const meaning = aboutMailbox && reading.by !== 'wording' ? 'unclear' : reading.meaning;
  return { ...reading, meaning, ...meaningOutcome(meaning) };
}
