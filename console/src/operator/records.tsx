// A table of things: on a phone each row is a card of its own, in which every value has its name.
import '../account/account.css';
import './records.css';
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly name: string;
  readonly isNumber?: boolean;
  /** Stays in one line. */
  readonly isShort?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

export function Records<Row>({
  name,
  columns,
  rows,
  keyOf,
  isStale = false,
}: {
  readonly name: string;
  /** The first is what a row is about. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Of a question before: the answer to this one is on its way. */
  readonly isStale?: boolean;
}) {
  return (
    <table className="table records card" aria-label={name} aria-busy={isStale}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" data-number={column.isNumber || undefined}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td
                key={column.name}
                data-name={column.name}
                data-number={column.isNumber || undefined}
                data-short={column.isShort || undefined}
              >
                <div>{column.cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
