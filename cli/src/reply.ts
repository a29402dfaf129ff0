// `mxproof reply`: tells an operator what the engine makes of a server's reply. No network.
//   mxproof reply [--stage rcpt] [--provider google] "550 5.7.1 …"     readable, one reply
//   mxproof reply --json < replies.jsonl                               {"stage","reply"} a line → {"meaning","state","reason"}
// Exit status: 0 read; 2 usage, or a line that could not be read (the others are still answered).
import { parseArgs } from 'node:util';
import type { ReplyReading } from '@mxproof/engine';
import { LATER_STAGE, readAtStage, STAGES } from './reply-stage.ts';

export interface ReplyIo {
  readonly stdin: AsyncIterable<string> | NodeJS.ReadableStream;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

const NAMED_STAGES: readonly string[] = [...STAGES, LATER_STAGE];
/** A reply may have 64 KiB; JSON may write each of its signs in six. */
const MAX_LINE_CHARS = 400_000;
const USAGE = `usage: mxproof reply [--stage ${NAMED_STAGES.join('|')}] [--provider WORD] "550 5.7.1 …"
       mxproof reply --json < FILE    one {"stage","reply"} a line in, one {"meaning","state","reason"} a line out
`;

export async function runReply(args: string[], io: ReplyIo): Promise<number> {
  const parsed = parseReplyArgs(args);
  if (typeof parsed === 'string') {
    io.stderr(parsed === '' ? USAGE : `mxproof reply: ${parsed}\n${USAGE}`);
    return 2;
  }
  if (parsed.help) {
    io.stdout(USAGE);
    return 0;
  }
  if (parsed.json) return answerLines(io, parsed);
  io.stdout(readable(parsed.stage, parsed.text, parsed.provider));
  return 0;
}

interface ReplyArgs {
  readonly help: boolean;
  readonly json: boolean;
  readonly stage: string;
  readonly provider: string;
  readonly text: string;
}

/** A sentence that says what is wrong with them, else the arguments. */
function parseReplyArgs(args: string[]): ReplyArgs | string {
  const read = strictArgs(args);
  if (typeof read === 'string') return read;
  const { values, positionals } = read;
  const stage = values.stage ?? 'rcpt';
  // A person's typo is told; a log's own word for a stage, in JSON, is read as far as words go.
  if (!NAMED_STAGES.includes(stage)) return `no such stage: ${stage}`;
  const { help = false, json = false, provider = '' } = values;
  if (json && positionals.length > 0) return '--json reads standard input, not arguments';
  if (!help && !json && positionals.length === 0) return '';
  return { help, json, stage, provider, text: positionals.join(' ') };
}

function strictArgs(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        stage: { type: 'string' },
        provider: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const MEANS: Readonly<Record<ReplyReading['meaning'], string>> = {
  accepted: 'the server takes it',
  no_mailbox: 'the mailbox does not exist, or is closed for good',
  over_quota: 'the mailbox is there, and full',
  mailbox_busy:
    'the mailbox is there, and gets too much mail: asked again; still so at the end, as good as taken',
  greylisted: 'a greylist: asked again later, from the same address',
  temporary: 'about the moment: asked again later',
  rate_limited: 'we ask too fast or too often: asked again later, slower',
  too_many_recipients: 'the rest wants another transaction',
  blocked: 'about us: a block list, a policy, our name or address',
  sender_refused: 'about our sender address',
  tls_required: 'wants an encrypted line',
  relay_denied: 'this host does not take mail for the domain',
  content: 'about a message, which we never send',
  protocol: 'a command or parameter was not taken',
  unclear: 'nothing can be said from it',
};

function readable(stage: string, text: string, provider: string): string {
  const reading = readAtStage(stage, text, provider);
  const wait = reading.retryAfterMs === null ? '' : `\nretry    after ${reading.retryAfterMs / 1_000} s`;
  return `meaning  ${reading.meaning}: ${MEANS[reading.meaning]}
verdict  ${reading.state}, ${reading.reason}
rule     ${reading.rule}${wait}
`;
}

async function answerLines(io: ReplyIo, args: ReplyArgs): Promise<number> {
  let status = 0;
  for await (const line of boundedLines(io.stdin)) {
    if (line !== null && line.trim() === '') continue;
    const answer =
      line === null ? { error: `line over ${MAX_LINE_CHARS} characters` } : answerLine(line, args);
    if ('error' in answer) status = 2;
    io.stdout(`${JSON.stringify(answer)}\n`);
  }
  return status;
}

function answerLine(line: string, args: ReplyArgs): object {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return { error: 'not JSON' };
  }
  if (typeof given !== 'object' || given === null) return { error: 'not a JSON object' };
  const { reply, provider = args.provider, ...rest } = given as Record<string, unknown>;
  const stage = rest.stage ?? args.stage;
  if (typeof reply !== 'string') return { error: 'reply must be a string' };
  if (typeof stage !== 'string') return { error: 'stage must be a string' };
  if (typeof provider !== 'string') return { error: 'provider must be a string' };
  const { meaning, state, reason } = readAtStage(stage === '' ? args.stage : stage, reply, provider);
  return { meaning, state, reason };
}

/** Lines of a stream; null for one that was too long, of which nothing is kept. */
async function* boundedLines(stdin: ReplyIo['stdin']): AsyncGenerator<string | null> {
  const decoder = new TextDecoder();
  let rest = '';
  let tooLong = false;
  for await (const chunk of stdin as AsyncIterable<string | Uint8Array>) {
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
