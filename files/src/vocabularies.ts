// Front door: the words that results are written in.

import { machineWords } from './machine-words.ts';
import { peopleWords } from './people-words.ts';
import { EXTRA_WORDS, type Extra, type Vocabulary } from './result-columns.ts';

export type Words = 'people' | 'machine';

/** `extras`: columns that are added to those of every export; in whichever order they are named, it is always the same. */
export function vocabularyOf(words: Words, extras: readonly Extra[] = []): Vocabulary {
  const ordered = EXTRA_WORDS.filter((extra) => extras.includes(extra));
  return words === 'people' ? peopleWords(ordered) : machineWords(ordered);
}
