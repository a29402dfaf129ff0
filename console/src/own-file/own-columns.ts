// Columns of the user's own file beside the addresses of a list: a name, a customer's number. Read in the browser, by a
// worker. Promise: an address has what its first row says; a cell is cut, and so many columns are read at once.
import type { Fixes } from '@mxproof/files/address-text';
import { UniqueAddresses } from '@mxproof/files/addresses';
import { type LayoutOptions, openTable } from '@mxproof/files/open-table';
import { blobSource } from './blob-source.ts';
import { MAX_OWN_COLUMNS } from './own-columns-limit.ts';

/** Until the user chooses. */
const FIRST_COLUMNS = 2;
const MAX_CHARACTERS = 60;
/** A table may have thousands. */
const MAX_OFFERED = 50;

export interface OwnColumns {
  /** All there are, but for those of addresses; numbers from 0. An empty name: it has none. */
  readonly offered: readonly { readonly column: number; readonly name: string }[];
  /** Of these, those that are read. */
  readonly columns: readonly number[];
  /** By address, as it is in the list, in the order of `columns`. */
  readonly cells: ReadonlyMap<string, readonly string[]>;
}

export interface OwnColumnsWanted {
  readonly file: Blob;
  readonly layout: LayoutOptions;
  readonly fixes: Fixes;
  /** Null: the first ones. */
  readonly columns: readonly number[] | null;
}

export async function readOwnColumns({
  file,
  layout,
  fixes,
  columns: wanted,
}: OwnColumnsWanted): Promise<OwnColumns> {
  const table = await openTable(blobSource(file), layout);
  const { head, otherColumns } = table;
  const first = table.layout.headings === null ? [] : (head[0] ?? []);
  const width = head.reduce((most, row) => Math.max(most, row.length), 0);
  const taken = new Set([...table.layout.columns, ...otherColumns]);
  const offered = Array.from({ length: width }, (_, column) => column)
    .filter((column) => !taken.has(column) && head.some((row) => shownCell(row[column] ?? '') !== ''))
    .slice(0, MAX_OFFERED)
    .map((column) => ({ column, name: shownCell(first[column] ?? '') }));
  const all = offered.map(({ column }) => column);
  const columns = (wanted ?? all.slice(0, FIRST_COLUMNS))
    .filter((column) => all.includes(column))
    .slice(0, MAX_OWN_COLUMNS);
  const cells = new Map<string, readonly string[]>();
  if (columns.length > 0) {
    const spelling = new UniqueAddresses(fixes);
    await table.survey({
      onAddress(address, _, cellAt, sheet) {
        // Another sheet has other columns.
        if (sheet !== undefined) return;
        const meant = spelling.meant(address);
        if (!cells.has(meant))
          cells.set(
            meant,
            columns.map((column) => shownCell(cellAt(column))),
          );
      },
    });
  }
  return { offered, columns, cells };
}

function shownCell(cell: string): string {
  return cell
    .slice(0, 4 * MAX_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_CHARACTERS);
}
