// The first rows of the file, with a choice above each column: which of them hold the addresses.
import { useEffect, useRef } from 'react';
import { newList } from '../messages/en-new-list.ts';
import type { FileReading } from './read.worker.ts';

const text = newList;
const SHOWN_ROWS = 20;
/** A table may have thousands, and a page that draws them all stands still. */
const SHOWN_COLUMNS = 200;
/** A cell may hold a long text. */
const SHOWN_CHARACTERS = 120;

export function PreviewTable({
  head,
  columns,
  hasHeader,
  isBusy,
  onColumns,
}: {
  readonly head: FileReading['head'];
  readonly columns: readonly number[];
  readonly hasHeader: boolean;
  readonly isBusy: boolean;
  readonly onColumns: (columns: readonly number[]) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const firstChosen = columns[0];
  // On a narrow screen the column that was found may be out of sight.
  useEffect(() => {
    const box = scroller.current;
    const cell = box?.querySelector<HTMLElement>(`th[data-column="${firstChosen}"]`);
    if (!box || !cell) return;
    const [seen, place] = [box.getBoundingClientRect(), cell.getBoundingClientRect()];
    if (place.left < seen.left || place.right > seen.right) box.scrollLeft += place.left - seen.left;
  }, [firstChosen]);
  const width = head.reduce((most, row) => Math.max(most, row.length), 0);
  const first = hasHeader ? (head[0] ?? []) : [];
  const rows = (hasHeader ? head.slice(1) : head).slice(0, SHOWN_ROWS);
  const chosen = new Set(columns);
  const shown = [
    ...Array.from({ length: Math.min(width, SHOWN_COLUMNS) }, (_, at) => at),
    ...columns.filter((column) => column >= SHOWN_COLUMNS),
  ];
  const nameOf = (column: number) => first[column]?.trim() || text.column(column + 1);
  const toggle = (column: number) =>
    onColumns(chosen.has(column) ? columns.filter((each) => each !== column) : [...columns, column]);
  return (
    <div className="preview" aria-busy={isBusy}>
      <div
        ref={scroller}
        className="preview-scroll"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard.
        tabIndex={0}
        role="group"
        aria-label={text.preview(rows.length)}
      >
        <table className="plain-table">
          <thead>
            <tr>
              {shown.map((column) => (
                <th
                  key={column}
                  scope="col"
                  data-column={column}
                  data-chosen={chosen.has(column) || undefined}
                >
                  <label>
                    <input type="checkbox" checked={chosen.has(column)} onChange={() => toggle(column)} />
                    <span>{nameOf(column)}</span>
                  </label>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else that is their own, and stay in place.
              <tr key={at}>
                {shown.map((column) => (
                  <td key={column} data-chosen={chosen.has(column) || undefined}>
                    {(row[column] ?? '').slice(0, SHOWN_CHARACTERS)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {width > SHOWN_COLUMNS && <p className="small soft">{text.shownColumns(SHOWN_COLUMNS, width)}</p>}
    </div>
  );
}
