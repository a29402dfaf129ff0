// The same as source-matrix.tsx where there is room for one column: each source with its providers, the worst first.
import './source-list.css';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { operator as text } from '../messages/en-operator.ts';
import { figuresOf, sourceName, spokenName } from './cell-figures.ts';
import { HealthMark } from './health-mark.tsx';
import { type Cell, HEALTH_STATES, keyOf, type Matrix, type Pair } from './matrix.ts';

export function SourceList({
  matrix: { sources, cells },
  now,
  onOpen,
}: {
  readonly matrix: Matrix;
  readonly now: number;
  readonly onOpen: (pair: Pair) => void;
}) {
  return (
    <ul className="source-list" aria-label={text.matrix.list}>
      {sources.map((source, at) => {
        const asked = cells[at]!.filter(({ state }) => state !== 'idle').toSorted(worstFirst);
        const quiet = cells[at]!.length - asked.length;
        return (
          <li key={source} className="card source-item">
            <h2 className="mono">{sourceName(source)}</h2>
            <ul>
              {asked.map((cell) => (
                <li key={keyOf(cell.pair)}>
                  <PairButton cell={cell} now={now} onOpen={onOpen} />
                </li>
              ))}
            </ul>
            {quiet > 0 && <p className="small soft">{text.matrix.quiet(quiet)}</p>}
          </li>
        );
      })}
    </ul>
  );
}

function PairButton({
  cell,
  now,
  onOpen,
}: {
  readonly cell: Cell;
  readonly now: number;
  readonly onOpen: (pair: Pair) => void;
}) {
  const { first, second } = figuresOf(cell, now);
  return (
    <button
      type="button"
      className="source-pair"
      data-health={cell.state}
      data-pair={keyOf(cell.pair)}
      onClick={() => onOpen(cell.pair)}
    >
      <span className="visually-hidden">{spokenName(cell, now)}</span>
      <span className="source-pair-provider" aria-hidden="true">
        {providerName(cell.pair.provider)}
      </span>
      <span aria-hidden="true">
        <HealthMark state={cell.state} />
      </span>
      <span className="small soft source-pair-figures" aria-hidden="true">
        {[first, second].filter(Boolean).join(' · ')}
      </span>
    </button>
  );
}

function worstFirst(a: Cell, b: Cell): number {
  return HEALTH_STATES.indexOf(a.state) - HEALTH_STATES.indexOf(b.state);
}
