// The columns that are added for an address: which, in which order, and in whose words (ADR 0056).
// Promise: the same columns in the same order in every export, those of the API's CSV first.

/** A row of results as the API gives it. */
export interface ResultRow {
  readonly email: string;
  readonly state: string;
  readonly reason: string;
  readonly score: number;
  readonly accept_all: boolean;
  readonly role: boolean;
  readonly free: boolean;
  readonly disposable: boolean;
  readonly mx: string | null;
  readonly provider: string;
  readonly detail?: string | null | undefined;
  /** A likelier spelling of the address. */
  readonly suggestion?: string | null | undefined;
  /** The corrected address whose result this is. */
  readonly checked_as?: string | null | undefined;
  /** How likely mail bounces, from 0 to 1; null: nothing is known. */
  readonly bounce_probability?: number | null | undefined;
  readonly bounce_low?: number | null | undefined;
  readonly bounce_high?: number | null | undefined;
  readonly bounce_n?: number | null | undefined;
  readonly bounce_basis?: string | null | undefined;
  /** It is on the account's suppression list. */
  readonly suppressed?: boolean | undefined;
}

/** What was found about an address. */
export type Result = Omit<ResultRow, 'email'>;

export type Cell = string | number | boolean;

/** Those that are not known for any row stay, empty: programs rely on the place of a column. */
export const RESULT_COLUMNS = [
  'state',
  'reason',
  'score',
  'accept_all',
  'role',
  'free',
  'disposable',
  'mx',
  'provider',
  'detail',
  'suggestion',
  'checked_as',
] as const satisfies readonly (keyof Result)[];

/** Behind those, and only where they are asked for, by the API's words for `include`: most accounts report no outcomes. */
export const EXTRA_COLUMNS = {
  estimate: ['bounce_probability', 'bounce_low', 'bounce_high', 'bounce_n', 'bounce_basis'],
  suppressed: ['suppressed'],
} as const satisfies Record<string, readonly (keyof Result)[]>;

export type Extra = keyof typeof EXTRA_COLUMNS;
export const EXTRA_WORDS = Object.keys(EXTRA_COLUMNS) as readonly Extra[];

export type ResultColumn = (typeof RESULT_COLUMNS)[number] | (typeof EXTRA_COLUMNS)[Extra][number];
export const ALL_COLUMNS: readonly ResultColumn[] = [RESULT_COLUMNS, ...Object.values(EXTRA_COLUMNS)].flat();

/** For an address, in whichever words. */
export const MAX_ADDED_COLUMNS = ALL_COLUMNS.length + 1;

/** Whose words a table of results is written in. */
export interface Vocabulary {
  /** The heading of addresses in a table of our own. */
  readonly address: string;
  /**
   * A set for each column of addresses, whose own headings are `names`. None of them is among `taken`: a file may be
   * cleaned again and again.
   */
  headings(taken: readonly string[], names: readonly string[]): readonly (readonly string[])[];
  /** In the order of the headings. */
  cells(result: Result): readonly Cell[];
  /** The same, where nothing is known. */
  readonly none: readonly Cell[];
}

/** Of an address that was not checked, since it is on the account's suppression list: nothing else is known of it. */
export function suppressedRow(email: string): ResultRow {
  const flags = { accept_all: false, role: false, free: false, disposable: false };
  return { email, state: '', reason: '', score: 0, ...flags, mx: null, provider: '', suppressed: true };
}

/** Whether it was checked; where it was not, the columns of a verdict are empty. */
export function isChecked({ state }: Pick<Result, 'state'>): boolean {
  return state !== '';
}

/** For people: a domain that accepts no mail, such as a misspelt one, gives no throw-away addresses, though it is on the lists. */
export function isDisposable({ disposable, reason }: Pick<Result, 'disposable' | 'reason'>): boolean {
  return disposable && reason !== 'invalid_domain';
}

/** A cell in a text; booleans are written as in the API's CSV. */
export function cellText(cell: Cell): string {
  if (typeof cell === 'boolean') return cell ? 'True' : 'False';
  return String(cell);
}

/** The smallest of 0, 1, 2 … that is not among those. */
export function firstFree(rounds: ReadonlySet<number | null>): number {
  let round = 0;
  while (rounds.has(round)) round += 1;
  return round;
}
