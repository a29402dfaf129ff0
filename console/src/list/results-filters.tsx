// What narrows the rows down: a piece of the address, and five choices, which a narrow screen folds away.
import './results-filters.css';
import { useId, useState } from 'react';
import { Input, Label, SearchField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { messages } from '../messages/messages.ts';
import { SEARCH_FIELD } from '../shell/shortcuts.tsx';
import { type Choices, chosenIn, type RowFilter } from './row-filter.ts';

const text = messages.results;

export function ResultsFilters({
  filter,
  choices,
  onFilter,
}: {
  readonly filter: RowFilter;
  readonly choices: Choices;
  readonly onFilter: (filter: RowFilter) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const set = (change: Partial<RowFilter>) => onFilter({ ...filter, ...change });
  return (
    <div className="results-filters">
      <SearchField className="field" value={filter.piece} onChange={(piece) => set({ piece })}>
        <Label className="small">{text.search}</Label>
        <Input className="input" placeholder={text.searchHint} {...SEARCH_FIELD} />
      </SearchField>
      <div className="results-unfold">
        <Button aria-expanded={isOpen} aria-controls={id} onPress={() => setOpen(!isOpen)}>
          {text.filters(chosenIn(filter).length)}
        </Button>
      </div>
      <div id={id} className="results-choices" data-open={isOpen}>
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
    </div>
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
