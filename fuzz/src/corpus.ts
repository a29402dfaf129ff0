// Inputs kept in the repository, a folder for each target: what once failed, and what reaches code that the seeds do
// not. Promise: an input is a file named after its own bytes, so keeping it twice changes nothing.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CORPUS = join(import.meta.dirname, '..', 'corpus');
const NAME_CHARS = 16;

export function readCorpus(target: string): Buffer[] {
  const folder = join(CORPUS, target);
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => readFileSync(join(folder, name)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Its path from the root of the repository. */
export function keepInput(target: string, input: Uint8Array): string {
  const name = createHash('sha256').update(input).digest('hex').slice(0, NAME_CHARS);
  mkdirSync(join(CORPUS, target), { recursive: true });
  writeFileSync(join(CORPUS, target, name), input);
  return `fuzz/corpus/${target}/${name}`;
}
