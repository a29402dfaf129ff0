// Front door: the words that results are written in.

import { MACHINE } from './machine-words.ts';
import { PEOPLE } from './people-words.ts';
import type { Vocabulary } from './result-columns.ts';

export type Words = 'people' | 'machine';

export const VOCABULARIES: Readonly<Record<Words, Vocabulary>> = { people: PEOPLE, machine: MACHINE };
