// A reply and the stage it was given at, as a person, a log or a bounce names it → how the engine reads it, and what a
// check would say of an address answered so. Pure.
//   before RCPT   no mailbox was named yet: no reply is about one
//   rcpt          the question itself: words, else numbers
//   elsewhere     DATA, the end of a message, or an unknown stage: about the mailbox only where the words say so
import type { Detail, Facts, Meaning, ReplyReading, Stage } from '../types.ts';
import { replyFromText } from './parse-reply-text.ts';
import { readReply } from './read-reply.ts';
import { type StateAndReason, verdict } from './verdict.ts';

const STAGE_WORDS: Readonly<Record<string, Stage>> = {
  connect: 'connect',
  connection: 'connect',
  banner: 'banner',
  greeting: 'banner',
  ehlo: 'ehlo',
  helo: 'ehlo',
  hello: 'ehlo',
  auth: 'ehlo',
  starttls: 'starttls',
  mail: 'mail',
  mailfrom: 'mail',
  rcpt: 'rcpt',
  rcptto: 'rcpt',
  recipient: 'rcpt',
  vrfy: 'rcpt',
  rset: 'rset',
};

/** null: at or after DATA, or not a stage at all. */
function stageOf(word: string): Stage | null {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '');
  return Object.hasOwn(STAGE_WORDS, letters) ? (STAGE_WORDS[letters] ?? null) : null;
}

/** `detail` as it stands with the reason. */
export interface StagedReading extends ReplyReading, StateAndReason {}

/** `mailbox`: what the reply is about, where it is known. */
export function readAtStage(word: string, text: string, provider: string, mailbox = ''): StagedReading {
  const stage = stageOf(word);
  const reading = readReply(stage ?? 'rcpt', replyFromText(text), provider, mailbox);
  if (stage === 'rcpt') return withVerdict(reading, reading.meaning);
  if (stage !== null || reading.meaning === 'accepted') return withVerdict(reading, 'unclear');
  const aboutMailbox = reading.meaning === 'no_mailbox' || reading.meaning === 'over_quota';
  if (!aboutMailbox || reading.by === 'wording') return withVerdict(reading, reading.meaning);
  return withVerdict(
    { ...reading, meaning: 'unclear', rule: `${reading.rule} (not at RCPT: not a verdict)` },
    'unclear',
  );
}

/** `mailbox`: what the reading says about the mailbox. */
function withVerdict(reading: ReplyReading, mailbox: Meaning): StagedReading {
  return { ...reading, ...verdictOn({ mailbox, cause: reading.detail }) };
}

/** Of an address of which nothing else is known: what stands in the way is the answer alone. */
const ANSWERED: Facts = {
  address: { local: '', domain: '', mailbox: '', needsSmtpUtf8: false },
  role: false,
  free: false,
  disposable: false,
  dns: 'ok',
  mx: null,
  provider: 'other',
  mailbox: null,
  connected: true,
  catchAll: 'no',
  refusesAll: false,
  cause: null,
};

export function verdictOn(
  known: Pick<Facts, 'mailbox' | 'cause'> & Partial<Pick<Facts, 'dns' | 'connected'>>,
): StateAndReason & { readonly detail: Detail } {
  const { state, reason, detail } = verdict({ ...ANSWERED, ...known });
  return { state, reason, detail };
}
