// Sources as rows, providers as columns. Promise: one stop of the Tab key; arrow keys, Home and End move within, Enter opens;
// a cell keeps the focus while its figures change.
import './source-matrix.css';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { type KeyboardEvent, useRef, useState } from 'react';
import { operator as text } from '../messages/en-operator.ts';
import { figuresOf, sourceName, spokenName } from './cell-figures.ts';
import { HealthShape } from './health-mark.tsx';
import { type Cell, keyOf, type Matrix, type Pair } from './matrix.ts';

/** With more columns, cells hold a mark and one figure, so that a screen holds them all. */
const ROOMY_MAX_COLUMNS = 8;

export function SourceMatrix({
  matrix: { sources, providers, cells },
  now,
  onOpen,
}: {
  readonly matrix: Matrix;
  readonly now: number;
  readonly onOpen: (pair: Pair) => void;
}) {
  const table = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState<Pair | null>(null);
  const isDense = providers.length > ROOMY_MAX_COLUMNS;
  const at = active && {
    row: sources.indexOf(active.source),
    column: providers.indexOf(active.provider),
  };
  const home = at && at.row >= 0 && at.column >= 0 ? at : { row: 0, column: 0 };

  function onKeyDown(event: KeyboardEvent) {
    const to = target(event, home, { rows: sources.length, columns: providers.length });
    if (to === null) return;
    event.preventDefault();
    // One more: the head of the row.
    table.current?.tBodies[0]?.rows[to.row]?.cells[to.column + 1]?.querySelector('button')?.focus();
  }

  return (
    <div className="matrix-scroll card">
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table in which one moves.
        role="grid"
        className="matrix"
        data-dense={isDense || undefined}
        aria-label={text.matrix.grid}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            <th scope="col" className="matrix-corner">
              {text.matrix.source}
            </th>
            {providers.map((provider) => (
              <th key={provider} scope="col">
                <span>{providerName(provider)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.map((row, rowAt) => (
            <tr key={sources[rowAt]}>
              <th scope="row" className="mono">
                {sourceName(sources[rowAt]!)}
              </th>
              {row.map((cell, columnAt) => (
                <td key={providers[columnAt]}>
                  <CellButton
                    cell={cell}
                    now={now}
                    isDense={isDense}
                    isHome={rowAt === home.row && columnAt === home.column}
                    onFocus={setActive}
                    onOpen={onOpen}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CellButton({
  cell,
  now,
  isDense,
  isHome,
  onFocus,
  onOpen,
}: {
  readonly cell: Cell;
  readonly now: number;
  readonly isDense: boolean;
  readonly isHome: boolean;
  readonly onFocus: (pair: Pair) => void;
  readonly onOpen: (pair: Pair) => void;
}) {
  const { first, second, only } = figuresOf(cell, now);
  const name = spokenName(cell, now);
  return (
    <button
      type="button"
      className="matrix-cell"
      data-health={cell.state}
      data-pair={keyOf(cell.pair)}
      tabIndex={isHome ? 0 : -1}
      title={isDense ? name : undefined}
      onFocus={() => onFocus(cell.pair)}
      onClick={() => onOpen(cell.pair)}
    >
      <span className="visually-hidden">{name}</span>
      <HealthShape state={cell.state} />
      {isDense ? (
        <span aria-hidden="true">{only}</span>
      ) : (
        <span className="matrix-figures" aria-hidden="true">
          <span>{first}</span>
          {second !== null && <span className="matrix-second">{second}</span>}
        </span>
      )}
    </button>
  );
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/** Null: a key that moves nothing. */
function target(
  { key, ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent,
  { row, column }: Place,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): Place | null {
  if (altKey || metaKey || shiftKey) return null;
  const [lastRow, lastColumn] = [rows - 1, columns - 1];
  switch (key) {
    case 'ArrowRight':
      return { row, column: Math.min(lastColumn, column + 1) };
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowDown':
      return { row: Math.min(lastRow, row + 1), column };
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column };
    case 'Home':
      return { row: ctrlKey ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrlKey ? lastRow : row, column: lastColumn };
    default:
      return null;
  }
}
