// What becomes of one row of a file that is given back: whether it stays, which of its addresses do, and what is added (ADR 0074).

import { atDomain, domainText } from './address-text.ts';
import { cellAddresses, rewriteCell } from './cell-addresses.ts';
import type { Cell, Result } from './result-columns.ts';
import { sendability } from './sendability.ts';
import type { Found, Layout, MergePlan, RowChanges } from './table.ts';

interface MergedRow {
  /** A set of cells for each column of addresses, none where no columns are added. */
  readonly added: readonly (readonly Cell[])[];
  /** What those columns say from now on, null where a cell stays as it is; null: all of them do. */
  readonly rewritten: readonly (string | null)[] | null;
}

/** `cells`: of the columns of addresses. `isFixed`: which of them cannot be changed. Null: the row is left out. */
export type RowMerger = (cells: readonly string[], isFixed?: (at: number) => boolean) => MergedRow | null;

/** What is known of a cell's addresses, in their order. */
interface CellFindings {
  readonly cell: string;
  readonly found: readonly (Found | null)[];
  readonly hasAt: boolean;
  readonly hasHidden: boolean;
}

const NO_CHANGES: RowChanges = { corrected: 0, emptied: 0, leftAlone: 0 };
const BLANK: CellFindings = { cell: '', found: [], hasAt: false, hasHidden: false };
/** Texts above this length are searched once, since many cells of a workbook may share one. */
const LONG_CHARACTERS = 1_000;
const MAX_REMEMBERED_CHARACTERS = 16_777_216;

/** `seen`: addresses that came back in rows of other sheets. */
export function rowMerger(
  { find, words, filter, dropsRepeated = false, onKept }: MergePlan,
  seen = new Set<string>(),
): RowMerger {
  // Made once for equal results: writers keep what they wrote by the set itself.
  const written = new WeakMap<Result, readonly Cell[]>();
  const cellsOf = (result: Result | undefined): readonly Cell[] => {
    if (words === null) return [];
    if (result === undefined) return words.none;
    let cells = written.get(result);
    if (cells === undefined) {
      cells = words.cells(result);
      written.set(result, cells);
    }
    return cells;
  };
  const hasAt = atSearcher();
  const isChosen = (found: Found | null): boolean =>
    filter === null || (found === null ? filter.keepsRest : found.isChosen);
  const findingsOf = (cell: string): CellFindings => {
    const { first, others, hasHidden } = cellAddresses(cell);
    if (first === null) return BLANK;
    const found = find(first);
    // `n/a`, of which nothing is known, is no address that could be the best.
    if (found === null && !hasAt(cell)) return BLANK;
    const all = others.length === 0 ? [found] : [found, ...others.map(find)];
    return { cell, found: all, hasAt: hasAt(cell), hasHidden };
  };
  /** A row goes with its best address. */
  const isKept = (row: readonly CellFindings[]): boolean => {
    if (filter === null) return true;
    let best = -1;
    let isBestChosen = filter.keepsRest;
    for (const { found } of row)
      for (const one of found) {
        const rank = filter.rowsBy === 'any' ? 0 : sendability(one?.result ?? null);
        if (rank > best) isBestChosen = isChosen(one);
        else if (rank === best) isBestChosen ||= isChosen(one);
        best = Math.max(best, rank);
      }
    return isBestChosen;
  };
  const dropsHidden = filter !== null && !filter.keepsRest;
  const isChanged = ({ found, hasAt, hasHidden }: CellFindings): boolean =>
    (hasHidden && dropsHidden) ||
    found.some((one) => correctionOf(one) !== null || (!isChosen(one) && hasAt));
  const become = (address: string): string | null => {
    const found = find(address);
    if (!isChosen(found)) return null;
    const corrected = correctionOf(found);
    return corrected === null ? address : atDomain(address, domainText(corrected));
  };
  const changesOf = ({ found, hasHidden }: CellFindings): RowChanges => ({
    corrected: found.filter((one) => isChosen(one) && correctionOf(one) !== null).length,
    emptied: found.filter((one) => !isChosen(one)).length + (hasHidden && dropsHidden ? 1 : 0),
    leftAlone: 0,
  });
  /** Of the first address that stays, or that was there: it says why a cell is empty, without the address it was checked as. */
  const resultOf = ({ found }: CellFindings): Result | undefined => {
    const [first] = found;
    if (isChosen(first ?? null)) return first?.result;
    const staying = found.find(isChosen);
    if (staying) return staying.result;
    const result = first?.result;
    return result?.checked_as == null ? result : { ...result, checked_as: null };
  };
  /** All that stays of it came back in rows above; a row without an address repeats nothing. */
  const isRepeated = (row: readonly CellFindings[]): boolean => {
    const staying = row.flatMap(({ cell, hasAt }) => (hasAt ? stayingIn(cell, become) : []));
    const isNew = staying.length === 0 || staying.some((address) => !seen.has(address));
    for (const address of staying) seen.add(address);
    return !isNew;
  };
  return (cells, isFixed) => {
    const row = cells.map(findingsOf);
    if (!isKept(row) || (dropsRepeated && isRepeated(row))) return null;
    const added = words === null ? [] : row.map((each) => cellsOf(resultOf(each)));
    if (!row.some(isChanged)) {
      onKept?.(NO_CHANGES);
      return { added, rewritten: null };
    }
    const sum = { ...NO_CHANGES };
    const rewritten = row.map((each, at) => {
      if (!isChanged(each)) return null;
      if (isFixed?.(at)) {
        sum.leftAlone += 1;
        return null;
      }
      const { corrected, emptied } = changesOf(each);
      sum.corrected += corrected;
      sum.emptied += emptied;
      return each.found.some(isChosen) ? rewriteCell(each.cell, become, dropsHidden) : '';
    });
    onKept?.(sum);
    return { added, rewritten };
  };
}

function stayingIn(cell: string, become: (address: string) => string | null): readonly string[] {
  const { first, others } = cellAddresses(cell);
  return [first ?? '', ...others].flatMap((address) => become(address)?.toLowerCase() ?? []);
}

function atSearcher(): (cell: string) => boolean {
  const known = new Map<string, boolean>();
  let characters = 0;
  return (cell) => {
    if (cell.length <= LONG_CHARACTERS) return cell.includes('@');
    let has = known.get(cell);
    if (has === undefined) {
      has = cell.includes('@');
      characters += cell.length;
      if (characters > MAX_REMEMBERED_CHARACTERS) {
        known.clear();
        characters = cell.length;
      }
      known.set(cell, has);
    }
    return has;
  };
}

function correctionOf(found: Found | null): string | null {
  return found?.result.checked_as ?? null;
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
