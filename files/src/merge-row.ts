// What becomes of one row of a file that is given back.

import type { Cell, Result } from './result-columns.ts';
import { NO_RESULT } from './result-columns.ts';
import type { Found, Layout, MergePlan } from './table.ts';

/** A set of cells for each address, none where no columns are added; null: the row is left out. */
export type RowMerger = (addresses: readonly (string | null)[]) => readonly (readonly Cell[])[] | null;

export function rowMerger({ find, words, filter, onKept }: MergePlan): RowMerger {
  // Made once for equal results: writers keep what they wrote by the set itself.
  const written = new WeakMap<Result, readonly Cell[]>();
  const cellsOf = (found: Found | null): readonly Cell[] => {
    if (found === null || words === null) return NO_RESULT;
    let cells = written.get(found.result);
    if (cells === undefined) {
      cells = words.cells(found.result);
      written.set(found.result, cells);
    }
    return cells;
  };
  const isKept = (row: readonly (Found | null)[]): boolean => {
    if (filter === null) return true;
    const known = row.filter((found) => found !== null);
    return known.length === 0 ? filter.keepsRest : known.some(({ isChosen }) => isChosen);
  };
  return (addresses) => {
    const row = addresses.map((address) => (address === null ? null : find(address)));
    if (!isKept(row)) return null;
    onKept?.();
    return words === null ? [] : row.map(cellsOf);
  };
}

/** Empty where no columns are added. */
export function addedHeadings(
  { words }: Pick<MergePlan, 'words'>,
  head: readonly string[],
  { columns }: Pick<Layout, 'columns'>,
): readonly (readonly string[])[] {
  const names = columns.map((column) => head[column] ?? '');
  return words === null ? [] : words.headings(head, names);
}
