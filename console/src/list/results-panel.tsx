// The rows of a list, with what narrows them down and what takes those shown away as a file.
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Input, Label, SearchField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { formatCount, formatShare } from '../design/format.ts';
import { messages } from '../messages/messages.ts';
import { SEARCH_FIELD } from '../shell/shortcuts.tsx';
import { ResultsTable } from './results-table.tsx';
import { RowEvidence } from './row-evidence.tsx';
import { choicesIn, isFiltering, matching, NO_FILTER, type RowFilter } from './row-filter.ts';
import { fileStem, saveRows } from './save-rows.ts';
import type { PlacedRow } from './use-rows.ts';

const text = messages.results;

export function ResultsPanel({
  name,
  rows,
  total,
  isComplete,
  filter,
  onFilter,
  shownAt,
}: {
  readonly name: string;
  readonly rows: readonly PlacedRow[];
  readonly total: number;
  readonly isComplete: boolean;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
  /** Grows with each action whose rows are asked for. */
  readonly shownAt: number;
}) {
  const [opened, setOpened] = useState<PlacedRow | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Chosen from above, the rows would change out of sight.
  useEffect(() => {
    if (shownAt === 0) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [shownAt]);
  // What is typed appears at once; the rows follow.
  const wanted = useDeferredValue(filter);
  const shown = useMemo(() => matching(rows, wanted), [rows, wanted]);
  const choices = useMemo(() => choicesIn(rows), [rows]);
  const isFiltered = isFiltering(filter);
  const set = (change: Partial<RowFilter>) => onFilter({ ...filter, ...change });
  return (
    <section className="stack results-panel" aria-label={text.title}>
      <h2 ref={heading} tabIndex={-1}>
        {text.title}
      </h2>
      <div className="results-filters">
        <SearchField className="field" value={filter.piece} onChange={(piece) => set({ piece })}>
          <Label className="small">{text.search}</Label>
          <Input className="input" placeholder={text.searchHint} {...SEARCH_FIELD} />
        </SearchField>
        <Choice
          name={text.action}
          chosen={filter.action}
          among={Object.entries(messages.actions.each).map(([action, { title }]) => [action, title])}
          onChoose={(action) => set({ action: action as RowFilter['action'] })}
        />
        <Choice
          name={text.state}
          chosen={filter.state}
          among={choices.states.map((state) => [
            state,
            state === 'pending' ? text.notChecked : messages.states[state],
          ])}
          onChoose={(state) => set({ state: state as RowFilter['state'] })}
        />
        <Choice
          name={text.reason}
          chosen={filter.reason}
          among={choices.reasons.map((reason) => [reason, messages.reasons[reason]])}
          onChoose={(reason) => set({ reason: reason as RowFilter['reason'] })}
        />
        <Choice
          name={text.provider}
          chosen={filter.provider}
          among={choices.providers.map((provider) => [provider, provider])}
          onChoose={(provider) => set({ provider })}
        />
        <Choice
          name={text.flag}
          chosen={filter.flag}
          among={choices.flags.map((flag) => [flag, messages.flags[flag]])}
          onChoose={(flag) => set({ flag: flag as RowFilter['flag'] })}
        />
      </div>
      <div className="row results-found">
        <p role="status" className="small soft">
          {isComplete
            ? isFiltered
              ? text.found(shown.length, formatCount(total))
              : text.all(total)
            : text.reading(formatShare(rows.length, total))}
        </p>
        {isFiltered && (
          <>
            <Button look="quiet" onPress={() => onFilter(NO_FILTER)}>
              {text.showAll}
            </Button>
            <div className="row push">
              {(['csv', 'xlsx'] as const).map((format) => (
                <Button
                  key={format}
                  look="quiet"
                  isDisabled={!isComplete || shown.length === 0}
                  onPress={() => void saveRows(shown, fileStem(name, filter.action ?? 'found'), format)}
                >
                  {text.save[format]}
                </Button>
              ))}
            </div>
          </>
        )}
      </div>
      {shown.length > 0 ? (
        // From its top again with each other choice.
        <ResultsTable key={JSON.stringify(wanted)} rows={shown} onOpen={setOpened} />
      ) : (
        isComplete && <p className="card soft">{text.none}</p>
      )}
      {opened && <RowEvidence placed={opened} onClose={() => setOpened(null)} />}
    </section>
  );
}

function Choice({
  name,
  chosen,
  among,
  onChoose,
}: {
  readonly name: string;
  readonly chosen: string | null;
  readonly among: readonly (readonly [string, string])[];
  readonly onChoose: (choice: string | null) => void;
}) {
  return (
    <label className="field">
      <span className="small">{name}</span>
      <select
        className="input"
        value={chosen ?? ''}
        disabled={among.length === 0}
        onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">{text.any}</option>
        {among.map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  );
}
