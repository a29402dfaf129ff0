// The columns that are added at the right of a file. Promise: a spreadsheet never runs what stands in them.

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
}

export type Cell = string | number | boolean;

export const RESULT_COLUMNS = [
  'state',
  'reason',
  'score',
  'role',
  'free',
  'disposable',
  'accept_all',
  'provider',
  'mx',
] as const satisfies readonly (keyof ResultRow)[];

export const NO_RESULT: readonly Cell[] = RESULT_COLUMNS.map(() => '');

export function resultCells(row: ResultRow): readonly Cell[] {
  return RESULT_COLUMNS.map((name) => row[name] ?? '');
}

/** Prefixed, all alike, where one of them is a heading already: a file may be cleaned again and again. */
export function resultHeadings(taken: readonly string[]): readonly string[] {
  const known = new Set(taken.map((heading) => heading.trim().toLowerCase()));
  for (let round = 0; ; round += 1) {
    const prefix = round === 0 ? '' : round === 1 ? 'mxproof_' : `mxproof_${round}_`;
    const headings = RESULT_COLUMNS.map((name) => prefix + name);
    // Ends: each round needs a heading of its own among those taken.
    if (!headings.some((heading) => known.has(heading))) return headings;
  }
}

/** A mail exchanger's name is a stranger's text: `=HYPERLINK(…)` must stay text. */
export function defused(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
