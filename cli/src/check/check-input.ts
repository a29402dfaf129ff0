// Addresses for `mxproof check`: from the command line, a file or standard input.
// Promise: read as needed, blanks dropped, every line bounded; a line may hold several, with names and brackets.

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileKind, isAt } from '@mxproof/files/file-kind';
import { addressesIn } from '@mxproof/files/read-addresses';
import { OperatorError } from '@mxproof/server/operator-error';
import { unreadable } from '../clean/clean-input.ts';

const MAX_LINE_CHARACTERS = 64 * 1_024;

export interface Input {
  readonly addresses: AsyncIterable<string>;
  /** Null: not known before the end. */
  readonly total: number | null;
}

/** Null: none were given. Trimmed and lower-cased, as the service takes them. */
export async function readInput(words: readonly string[], file: string | undefined): Promise<Input | null> {
  if (words.length > 0) {
    const addresses = words.flatMap(addressesOf);
    return { addresses: each(addresses), total: addresses.length };
  }
  if (file !== undefined && file !== '-') {
    await requireLines(file);
    return { addresses: fromLines(() => openFile(file)), total: await countAddresses(file) };
  }
  if (file === undefined && process.stdin.isTTY) return null;
  return { addresses: fromLines(() => process.stdin.setEncoding('utf8')), total: null };
}

/** Of a file that is looked at to tell what it is. */
const LOOKED_AT_BYTES = 4_096;
const CONTAINERS = ['PK\x03\x04', '\xd0\xcf\x11\xe0'];

/** Refuses what has no lines; of a table, says which command reads one. */
async function requireLines(file: string): Promise<void> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error);
  });
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw new OperatorError(`${file} is a folder: name a file of addresses.`);
    // What is read from a pipe cannot be read again.
    if (!found.isFile()) return;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const isContainer = CONTAINERS.some((magic) => isAt(bytes, magic));
    const kind = isContainer ? 'a workbook or an archive' : fileKind(bytes, bytesRead === found.size)?.name;
    if (kind !== undefined)
      throw new OperatorError(
        `${file} is ${kind}, not a list with an address per line: "mxproof clean" reads CSV and .xlsx.`,
      );
    const [first = ''] = bytes.toString('utf8').split(/[\r\n]/);
    if (/[;,\t]/.test(first))
      process.stderr.write(
        `${file} looks like a table: every address in it is checked. "mxproof clean" gives the table back with the results.\n`,
      );
  } finally {
    await handle.close();
  }
}

async function* each(addresses: readonly string[]): AsyncIterable<string> {
  yield* addresses;
}

async function* fromLines(open: () => AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines(open)) yield* addressesOf(line);
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
      for (const line of parts) if (line.trim() !== '') yield line;
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`Cannot read the addresses: ${(error as Error).message}.`);
  }
  if (rest.trim() !== '') yield rest;
}

async function countAddresses(file: string): Promise<number> {
  let count = 0;
  for await (const _ of fromLines(() => openFile(file))) count += 1;
  return count;
}

function addressesOf(text: string): readonly string[] {
  return addressesIn(text).map((address) => address.toLowerCase());
}
