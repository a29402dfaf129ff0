// The words of verifiers' result files → the four states, and how a file is recognised. Pure.
// ZeroBounce's headings are those of its own clients' tests, Kickbox's words those of its documentation. The headings of
// Kickbox, NeverBounce, Emailable and Bouncer were not seen in a source of theirs: docs/guide/evaluate.md says so.

import { STATE_WORDS, type State } from '@mxproof/common/vocabulary/labels';
import { RESULT_WORDS } from '@mxproof/files/result-words';

export interface Verifier {
  readonly name: string;
  readonly title: string;
  /** Of the column with its verdict, as `plainHeading` has it; those that come first count. */
  readonly headings: readonly RegExp[];
  /** Beside it in the same file: the more of them, the surer. */
  readonly besides: readonly string[];
  /** Null: the word is no verdict. */
  readonly words: ReadonlyMap<string, State | null>;
}

/** No word of theirs is longer. */
export const MAX_WORD_CHARS = 60;

/** `ZB Status`, `Catch-All` → `zbstatus`, `catchall` */
export function plain(text: string): string {
  return text
    .slice(0, MAX_WORD_CHARS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const FOUR: readonly (readonly [string, State])[] = STATE_WORDS.map((state) => [state, state]);
const VALID: readonly (readonly [string, State])[] = [
  ['valid', 'deliverable'],
  ['invalid', 'undeliverable'],
  ['unknown', 'unknown'],
];
const RISKY = (...words: string[]) => words.map((word) => [word, 'risky'] as const);
const CATCH_ALL = RISKY('catchall', 'acceptall', 'acceptallunverifiable');
/** Of the file for people: `Deliverable`, as the console shows it. */
const PEOPLE = STATE_WORDS.map((state) => [plain(RESULT_WORDS.states[state]), state] as const);

const VERIFIERS: readonly Verifier[] = [
  {
    name: 'mxproof',
    title: 'MXProof',
    headings: [/^mxproof(?:\d+)?state\d*$/, /^state\d*$/, /^.+status\d*$/],
    besides: ['mx', 'provider', 'checkedat', 'suggestion', 'mxproofmx'],
    words: new Map([...PEOPLE, ...FOUR]),
  },
  {
    name: 'kickbox',
    title: 'Kickbox',
    headings: [/^(?:kickbox)?result$/],
    besides: ['sendex', 'acceptall', 'didyoumean'],
    words: new Map(FOUR),
  },
  {
    name: 'zerobounce',
    title: 'ZeroBounce',
    headings: [/^zbstatus$/, /^(?:zerobounce)?status$/],
    besides: ['zbsubstatus', 'substatus', 'zbaccount'],
    words: new Map([...VALID, ...CATCH_ALL, ...RISKY('donotmail', 'spamtrap', 'abuse')]),
  },
  {
    name: 'neverbounce',
    title: 'NeverBounce',
    headings: [/^emailstatus$/, /^(?:neverbounce)?result$/, /^verificationresult$/],
    besides: ['flags', 'suggestedcorrection'],
    words: new Map([...VALID, ...CATCH_ALL, ...RISKY('disposable')]),
  },
  {
    name: 'emailable',
    title: 'Emailable',
    headings: [/^(?:emailable)?state$/],
    besides: ['mxrecord', 'smtpprovider', 'noreply', 'tag', 'fullname', 'gender'],
    words: new Map<string, State | null>([...FOUR, ['duplicate', null]]),
  },
  {
    name: 'bouncer',
    title: 'Bouncer',
    headings: [/^(?:bouncer)?status$/],
    besides: ['toxic', 'toxicity', 'domainacceptall', 'accountrole'],
    words: new Map(FOUR),
  },
];
/** For the file of any other. */
const ANY: Verifier = {
  name: 'other',
  title: 'another verifier',
  headings: [/^(?:.*(?:status|state|result|verdict))$/],
  besides: [],
  words: new Map([
    ...VALID,
    ...CATCH_ALL,
    ...RISKY('disposable', 'donotmail', 'spamtrap', 'abuse', 'roleaccount', 'role'),
    ['safe', 'deliverable'] as const,
    ['ok', 'deliverable'] as const,
    ...FOUR,
  ]),
};
export const VERIFIER_NAMES = [...VERIFIERS, ANY].map(({ name }) => name);

export function verifierNamed(name: string): Verifier | undefined {
  return name === ANY.name ? ANY : VERIFIERS.find((each) => each.name === name);
}

export interface Guess {
  readonly verifier: Verifier;
  /** From 0. */
  readonly column: number;
}

/** Of so many cells, one at least is a word of the verifier's, and of those that are filled more than half. */
const MOST = 0.5;

/**
 * The verifier and column that fit best. `rows`: below the header. `named`: what its owner said. Null: none fits.
 * A column that its owner named is taken whatever its heading.
 */
export function guessVerifier(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  named: { readonly verifier: Verifier | null; readonly column: number | null },
): Guess | null {
  const names = headings.map(plain);
  let best: (Guess & { readonly besides: number }) | null = null;
  for (const verifier of named.verifier === null ? [...VERIFIERS, ANY] : [named.verifier]) {
    const columns = named.column === null ? columnsFor(verifier, names) : [named.column];
    const column = columns.find((each) => fits(verifier, rows, each));
    if (column === undefined) continue;
    const besides = verifier.besides.filter((name) => names.includes(name)).length;
    // A verifier whose heading is there is surer than any other whose words fit.
    if (best === null || besides > best.besides) best = { verifier, column, besides };
  }
  return best;
}

function columnsFor({ headings }: Verifier, names: readonly string[]): readonly number[] {
  return headings.flatMap((heading) => names.flatMap((name, at) => (heading.test(name) ? [at] : [])));
}

function fits({ words }: Verifier, rows: readonly (readonly string[])[], column: number): boolean {
  const cells = rows.map((row) => plain(row[column] ?? '')).filter((cell) => cell !== '');
  const known = cells.filter((cell) => words.has(cell)).length;
  return known > 0 && known > cells.length * MOST;
}
