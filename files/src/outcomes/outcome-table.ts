// A table of outcomes (CSV, TSV, XLSX): which of its columns says what, and its rows.
// Promise: what is not named is found by headings; the column of outcomes also by the words in its cells.

import { columnsOf, namedColumn } from '../find-address.ts';
import { openTable } from '../open-table.ts';
import type { Source, Table } from '../table.ts';
import { handOn, type OutcomeHandlers, type OutcomeWord } from './outcome.ts';
import { FIELD_NAMES, type FieldRole, type Placed, readFields } from './outcome-fields.ts';
import { outcomeOf, plainWord } from './outcome-words.ts';

export type NamedColumns = Placed<string | null>;

interface ColumnPlace {
  /** From 0. */
  readonly column: number;
  /** Null without a header. */
  readonly heading: string | null;
}

export interface OutcomeTable {
  /** Without `outcome` where no column says it. */
  readonly columns: Placed<ColumnPlace>;
  /** What there is to choose from, for a sentence. */
  readonly allColumns: string;
  /** The same as they are: the first row, which has headings or not. */
  readonly first: readonly string[];
  readonly hasHeader: boolean;
  read(handlers: OutcomeHandlers): Promise<void>;
}

/** `named`: headings, or numbers from 1; null: there is none of the kind. `assumed`: what became of all of them. */
export async function openOutcomeTable(
  source: Source,
  named: NamedColumns,
  assumed: OutcomeWord | null,
): Promise<OutcomeTable> {
  const drain: { now?: OutcomeHandlers['drained'] } = {};
  const gated: Source = {
    async *chunks() {
      for await (const chunk of source.chunks()) {
        yield chunk;
        await drain.now?.();
      }
    },
  };
  const table = await openTable(gated, named.email == null ? {} : { column: named.email });
  const columns = placeColumns(table, named, assumed);
  return {
    columns,
    allColumns: columnsOf(table.head[0] ?? []),
    first: table.head[0] ?? [],
    hasHeader: table.layout.headings !== null,
    async read(handlers) {
      drain.now = handlers.drained;
      await table.survey({
        onAddress(address, _row, cellAt) {
          const read = (role: FieldRole) => {
            if (role === 'email') return address;
            const place = columns[role];
            return place === undefined ? '' : cellAt(place.column);
          };
          handOn(readFields(read, assumed), handlers);
        },
        onOther: () => handlers.onUnreadable(),
      });
      await handlers.drained?.();
    },
  };
}

function placeColumns(table: Table, named: NamedColumns, assumed: OutcomeWord | null): Placed<ColumnPlace> {
  const first = table.head[0] ?? [];
  const hasHeader = table.layout.headings !== null;
  const headings = hasHeader ? first : [];
  const rows = table.head.slice(hasHeader ? 1 : 0);
  const email = table.layout.columns[0] ?? 0;
  const taken = new Set([email]);
  const placeAt = (column: number): ColumnPlace => {
    taken.add(column);
    return { column, heading: headings[column] ?? null };
  };
  const places: Placed<ColumnPlace> = { email: placeAt(email) };
  const roles = (Object.keys(FIELD_NAMES) as FieldRole[]).filter((role) => role !== 'email');
  for (const role of roles) {
    const name = named[role];
    if (name != null) places[role] = placeAt(namedColumn(first, name, hasHeader).column);
  }
  const wordsIn = (column: number) => rows.filter((row) => outcomeOf(row[column] ?? '') !== null).length;
  for (const role of roles) {
    if (places[role] !== undefined || named[role] === null || (role === 'outcome' && assumed !== null))
      continue;
    const isFree = (column: number) => !taken.has(column) && (role !== 'outcome' || wordsIn(column) > 0);
    const found =
      columnOf(role, headings, isFree) ??
      (role === 'outcome' ? mostWords(first.length, isFree, wordsIn) : null);
    if (found !== null) places[role] = placeAt(found);
  }
  return places;
}

function columnOf(
  role: FieldRole,
  headings: readonly string[],
  isFree: (column: number) => boolean,
): number | null {
  const plain = headings.map(plainWord);
  for (const wanted of FIELD_NAMES[role]) {
    const column = plain.findIndex((heading, at) => heading === wanted && isFree(at));
    if (column >= 0) return column;
  }
  return null;
}

function mostWords(
  width: number,
  isFree: (column: number) => boolean,
  wordsIn: (column: number) => number,
): number | null {
  const free = Array.from({ length: width }, (_, column) => column).filter(isFree);
  const most = Math.max(0, ...free.map(wordsIn));
  return free.find((column) => wordsIn(column) === most) ?? null;
}
