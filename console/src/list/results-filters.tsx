// What narrows the rows down: a piece of the address, and four choices, which a narrow screen folds away.
import { ACTION_WORDS, ACTIONS } from '@mxproof/common/vocabulary/labels';
import './results-filters.css';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { useId, useState } from 'react';
import { Input, Label, SearchField } from 'react-aria-components';
import { whyText } from '../check/why.ts';
import { Button } from '../design/button.tsx';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';
import { SEARCH_FIELD } from '../shell/shortcuts.tsx';
import { type Choices, chosenIn, type RowFilter, UNCHECKED } from './row-filter.ts';
import { PIECE_MAX } from './view.ts';

const text = listMessages.results;

export function ResultsFilters({
  filter,
  choices,
  isInApiWords,
  onFilter,
}: {
  readonly filter: RowFilter;
  readonly choices: Choices;
  readonly isInApiWords: boolean;
  readonly onFilter: (filter: RowFilter, isTyped?: boolean) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const mayBeUnchecked = choices.hasUnchecked || filter.action === UNCHECKED;
  const actions = mayBeUnchecked ? ([...ACTION_WORDS, UNCHECKED] as const) : ACTION_WORDS;
  const set = (change: Partial<RowFilter>) => onFilter({ ...filter, ...change });
  /** Words to choose from; what an address from elsewhere has chosen is among them. */
  const named = <Word extends string>(
    chosen: Word | null,
    words: readonly Word[],
    nameOf: (word: Word) => string,
  ) => {
    const all = chosen === null || words.includes(chosen) ? words : [...words, chosen];
    return all.map((word) => [word, isInApiWords ? word : nameOf(word)] as const);
  };
  return (
    <div className="results-filters">
      <SearchField
        className="field"
        value={filter.piece}
        maxLength={PIECE_MAX}
        onChange={(piece) => onFilter({ ...filter, piece }, true)}
      >
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
          among={actions.map((action) => [
            action,
            action === UNCHECKED ? messages.notChecked : ACTIONS[action].title,
          ])}
          onChoose={(action) => set({ action })}
        />
        <Choice
          name={text.reason}
          chosen={filter.reason}
          among={named(filter.reason, choices.reasons, whyText)}
          onChoose={(reason) => set({ reason })}
        />
        <Choice
          name={text.provider}
          chosen={filter.provider}
          among={named(filter.provider, choices.providers, providerName)}
          onChoose={(provider) => set({ provider })}
        />
        <Choice
          name={text.flag}
          chosen={filter.flag}
          among={named(filter.flag, choices.flags, (flag) => messages.flags[flag])}
          onChoose={(flag) => set({ flag })}
        />
      </div>
    </div>
  );
}

function Choice<Word extends string>({
  name,
  chosen,
  among,
  onChoose,
}: {
  readonly name: string;
  readonly chosen: Word | null;
  readonly among: readonly (readonly [Word, string])[];
  readonly onChoose: (choice: Word | null) => void;
}) {
  return (
    <label className="field">
      <span className="small">{name}</span>
      <select
        className="input"
        value={chosen ?? ''}
        disabled={among.length === 0}
        onChange={({ target }) => onChoose(among.find(([word]) => word === target.value)?.[0] ?? null)}
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
