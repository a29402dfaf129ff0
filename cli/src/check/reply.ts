// reply: shows how the engine reads the reply of a mail server. No network.
//   mxproof reply [--stage rcpt] [--provider google] "550 5.7.1 …"     for people, one reply
//   mxproof reply --json "550 5.7.1 …"          {"meaning", "state", "reason"}
//   mxproof reply --json < replies.jsonl        the same for {"reply", "stage", "provider"} per line
//   mxproof reply --file bounce.eml             for each recipient of a log or a bounce: reply-file.ts
// Exit status: 0 read; 2 a wrong call, or a line that could not be read (the others are still answered).
import { MEANINGS } from '@mxproof/common/vocabulary/meanings';
import { readAtStage } from '@mxproof/engine';
import type { CommandIo } from '../shared/command-io.ts';
import { UsageError } from '../shared/usage-error.ts';
import { replyFile } from './reply-file.ts';

/** A reply may have 64 KiB; JSON may escape each of its characters in six. */
const MAX_LINE_CHARS = 400_000;

export interface ReplyOptions {
  readonly stage?: string;
  readonly provider?: string;
  readonly file?: string;
  readonly json?: boolean;
}

export async function reply(
  words: readonly string[],
  { file, json = false, ...options }: ReplyOptions,
  io: CommandIo,
): Promise<number> {
  if (file !== undefined) {
    if (words.length > 0 || options.stage !== undefined || options.provider !== undefined)
      throw new UsageError('With --file, replies and their stages are read from the file only.');
    return replyFile(file, json, io);
  }
  const { stage = 'rcpt', provider = '' } = options;
  if (words.length === 0) {
    if (json) return answerLines(io, { stage, provider });
    throw new UsageError('Missing required argument <reply>.');
  }
  const text = words.join(' ');
  io.stdout(json ? `${JSON.stringify(answer(stage, text, provider))}\n` : readable(stage, text, provider));
  return 0;
}

interface Defaults {
  readonly stage: string;
  readonly provider: string;
}

const COMPARED = `
compared where the host takes others of the domain and tells only this one so, the mailbox does not exist`;

function readable(stage: string, text: string, provider: string): string {
  const reading = readAtStage(stage, text, provider);
  const isVague = reading.clarity === 'vague' && reading.meaning !== 'no_mailbox';
  const isComparable = isVague && stage === 'rcpt';
  const wait = reading.retryAfterMs === null ? '' : `\nretry    after ${reading.retryAfterMs / 1_000} s`;
  return `meaning  ${reading.meaning}: ${MEANINGS[reading.meaning].brief}
verdict  ${reading.state}, ${reading.reason}
rule     ${reading.rule}${wait}${isComparable ? COMPARED : ''}
`;
}

async function answerLines(io: CommandIo, defaults: Defaults): Promise<number> {
  let status = 0;
  for await (const line of boundedLines(io.stdin)) {
    if (line !== null && line.trim() === '') continue;
    const said =
      line === null ? { error: `line longer than ${MAX_LINE_CHARS} characters` } : answerLine(line, defaults);
    if ('error' in said) status = 2;
    io.stdout(`${JSON.stringify(said)}\n`);
  }
  return status;
}

function answerLine(line: string, defaults: Defaults): object {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return { error: 'not JSON' };
  }
  if (typeof given !== 'object' || given === null) return { error: 'not a JSON object' };
  const { reply, provider = defaults.provider, ...rest } = given as Record<string, unknown>;
  const stage = rest.stage ?? defaults.stage;
  if (typeof reply !== 'string') return { error: 'reply must be a string' };
  if (typeof stage !== 'string') return { error: 'stage must be a string' };
  if (typeof provider !== 'string') return { error: 'provider must be a string' };
  return answer(stage === '' ? defaults.stage : stage, reply, provider);
}

function answer(stage: string, text: string, provider: string): object {
  const { meaning, state, reason } = readAtStage(stage, text, provider);
  return { meaning, state, reason };
}

/** Lines of a stream; null for one that was too long, of which nothing is kept. */
async function* boundedLines(stdin: CommandIo['stdin']): AsyncGenerator<string | null> {
  const decoder = new TextDecoder();
  let rest = '';
  let tooLong = false;
  for await (const chunk of stdin) {
    const pieces = (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })).split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      yield tooLong || rest.length + piece.length > MAX_LINE_CHARS ? null : rest + piece;
      rest = '';
      tooLong = false;
    }
    rest += last;
    if (rest.length > MAX_LINE_CHARS) {
      tooLong = true;
      rest = '';
    }
  }
  if (tooLong) yield null;
  else if (rest !== '') yield rest;
}
