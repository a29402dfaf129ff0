// The columns that are appended to a file.

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

/**
 * For the addresses of one row, a set of cells each; null: the row is left out. Where one address is left out and
 * another is not, the row stays as it is.
 */
export function rowCells(
  addresses: readonly (string | null)[],
  cellsFor: (address: string | null) => readonly Cell[] | null,
): readonly (readonly Cell[])[] | null {
  const sets = addresses.map((address) => {
    const cells = cellsFor(address);
    return cells === null ? null : address === null ? NO_RESULT : cells;
  });
  return sets.every((cells) => cells === null) ? null : sets.map((cells) => cells ?? NO_RESULT);
}

export function resultCells(row: ResultRow): readonly Cell[] {
  return RESULT_COLUMNS.map((name) => row[name] ?? '');
}

/**
 * A set for each column of addresses, numbered from the second on. Prefixed, all alike, where one of them is a heading
 * already: a file may be cleaned again and again.
 */
export function resultHeadings(taken: readonly string[], columns: number): readonly (readonly string[])[] {
  const rounds = new Set(taken.map((heading) => roundOf(heading.trim().toLowerCase(), columns)));
  let round = 0;
  while (rounds.has(round)) round += 1;
  const prefix = round === 0 ? '' : round === 1 ? 'mxproof_' : `mxproof_${round}_`;
  return Array.from({ length: columns }, (_, at) =>
    RESULT_COLUMNS.map((name) => `${prefix}${name}${at === 0 ? '' : `_${at + 1}`}`),
  );
}

const RESULT_HEADING = new RegExp(
  `^(mxproof_(?:([1-9]\\d{0,6})_)?)?(?:${RESULT_COLUMNS.join('|')})(?:_([1-9]\\d{0,6}))?$`,
);

/** Of the round whose headings this is one of; null: of none that has so many columns. */
function roundOf(heading: string, columns: number): number | null {
  const match = RESULT_HEADING.exec(heading);
  if (match === null) return null;
  const [, prefix, round, set] = match;
  if (round === '1' || set === '1' || Number(set ?? 1) > columns) return null;
  return prefix === undefined ? 0 : Number(round ?? 1);
}
