// Where the cleaned file goes. Promise: never over the file it came from, and over another only with --force; what
// stands in the way is said before anything is charged.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, format, parse, resolve } from 'node:path';
import { OperatorError } from '@mxproof/server/operator-error';
import { writeOut } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { writeWhole } from '../shared/write-whole.ts';

export interface CleanOutput {
  /** Null: standard output. */
  readonly file: string | null;
  write(pieces: AsyncIterable<Uint8Array>): Promise<void>;
}

interface OutputOptions {
  readonly output?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export async function openOutput(
  input: string,
  isPiped: boolean,
  asked: OutputOptions,
): Promise<CleanOutput> {
  const file = asked.output ?? (isPiped ? '-' : cleanedName(input));
  if (file === '-') {
    if (asked.json) throw new UsageError('--json uses standard output: name the file with --output.');
    return {
      file: null,
      async write(pieces) {
        for await (const piece of pieces) await writeOut(piece);
      },
    };
  }
  await requireFree(file, input, asked);
  return {
    file,
    async write(pieces) {
      // Hours may have passed.
      await requireFree(file, input, asked);
      await writeWhole(file, pieces);
    },
  };
}

/** `contacts.csv` → `contacts.cleaned.csv` */
function cleanedName(input: string): string {
  const { dir, name, ext } = parse(input);
  return format({ dir, name: `${name}.cleaned`, ext });
}

async function requireFree(file: string, input: string, { force }: OutputOptions): Promise<void> {
  const known = await stat(file).catch(() => null);
  if (known === null) {
    const folder = dirname(resolve(file));
    await access(folder, constants.W_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => {
      throw new OperatorError(`Cannot write to ${folder} (${error.code}).`);
    });
    return;
  }
  if (known.isDirectory()) throw new OperatorError(`${file} is a folder: name a file with --output.`);
  const own = input === '-' ? null : await stat(input).catch(() => null);
  if (own !== null && own.ino === known.ino && own.dev === known.dev)
    throw new UsageError(
      'The output is the input file, which is never overwritten: name another with --output.',
    );
  if (known.isFile() && !force)
    throw new OperatorError(`${file} exists: pass --force to replace it, or name another with --output.`);
}
