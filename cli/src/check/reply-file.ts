// reply --file: what the replies in a log or a bounce message mean, for each recipient. No network, no service.
// Promises: at most MAX_BOUNCE_CHARS bytes are read, also of a file without end; no recipient is named.
// Exit status: 0 read; 1 no reply in it, or it cannot be read; 2 a wrong call.
import { createReadStream } from 'node:fs';
import { MAX_BOUNCE_CHARS, type ReplyReport, readBounce } from '@mxproof/engine';
import { OperatorError } from '@mxproof/server/operator-error';
import type { CommandIo } from '../shared/command-io.ts';
import { EXIT } from '../shared/exit-status.ts';
import { jsonText } from '../shared/print.ts';

export async function replyFile(file: string, json: boolean, io: CommandIo): Promise<number> {
  const reports = [...readBounce(await readText(file, io))];
  if (json) {
    const replies = reports.map((report, position) => ({ position, ...report }));
    io.stdout(`${jsonText({ replies })}\n`);
  } else if (reports.length === 0) {
    io.stderr('No reply of a mail server was found in this text.\n');
  } else io.stdout(reports.map(readable).join('\n'));
  return reports.length === 0 ? EXIT.failed : EXIT.ok;
}

function readable(report: ReplyReport, position: number): string {
  const { meaning, explanation, state, reason, detail, advice, rule } = report;
  return `Recipient ${position + 1}
meaning  ${meaning}: ${explanation}
verdict  ${state}, ${reason} (${detail})
do       ${advice}
rule     ${rule}
`;
}

/** UTF-8, else Latin-1, in which every byte is a character. */
async function readText(file: string, io: CommandIo): Promise<string> {
  const isPiped = file === '-';
  const bytes = await firstBytes(isPiped ? io.stdin : createReadStream(file)).catch((error: Error) => {
    if (error instanceof OperatorError) throw error;
    const { code = error.message } = error as NodeJS.ErrnoException;
    throw new OperatorError(`Cannot read ${isPiped ? 'standard input' : file} (${code}).`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

async function firstBytes(source: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_BOUNCE_CHARS)
      throw new OperatorError(
        `The text is longer than ${MAX_BOUNCE_CHARS / 1_024} KB: give one bounce message, or fewer lines of the log.`,
      );
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
