// Addresses for `mxproof check`: from the command line, a file or standard input.
// Promise: read as needed, blanks dropped, every line bounded.

import { createReadStream } from 'node:fs';
import { OperatorError } from '@mxproof/server/operator-error';

const MAX_LINE_CHARACTERS = 64 * 1_024;

export interface Input {
  readonly addresses: AsyncIterable<string>;
  /** Null: not known before the end. */
  readonly total: number | null;
}

/** Null: none were given. Trimmed and lower-cased, as the service takes them. */
export async function readInput(words: readonly string[], file: string | undefined): Promise<Input | null> {
  if (words.length > 0) return { addresses: fromWords(words), total: words.length };
  if (file !== undefined && file !== '-')
    return { addresses: lines(() => openFile(file)), total: await countLines(file) };
  if (file === undefined && process.stdin.isTTY) return null;
  return { addresses: lines(() => process.stdin.setEncoding('utf8')), total: null };
}

async function* fromWords(words: readonly string[]): AsyncIterable<string> {
  for (const word of words) yield clean(word);
}

function openFile(file: string): AsyncIterable<string> {
  return createReadStream(file, { encoding: 'utf8' });
}

/** Opened when first read: a failure to open is then caught here. */
async function* lines(open: () => AsyncIterable<string>): AsyncIterable<string> {
  let rest = '';
  try {
    for await (const chunk of open()) {
      // A line end that is cut in two makes a blank line of it, and those are dropped.
      const parts = chunk.split(/\r\n|\r|\n/);
      parts[0] = rest + parts[0];
      rest = parts.pop() ?? '';
      if (rest.length > MAX_LINE_CHARACTERS)
        throw new OperatorError(
          `A line is longer than ${MAX_LINE_CHARACTERS} characters: this is not a list of addresses.`,
        );
      for (const line of parts) if (line.trim() !== '') yield clean(line);
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`Cannot read the addresses: ${(error as Error).message}.`);
  }
  if (rest.trim() !== '') yield clean(rest);
}

async function countLines(file: string): Promise<number> {
  let count = 0;
  for await (const _ of lines(() => openFile(file))) count += 1;
  return count;
}

function clean(text: string): string {
  return text.trim().toLowerCase();
}
