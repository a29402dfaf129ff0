// Fields that a table is narrowed by: one of several words, and what is typed, which counts when typing pauses.
import { type InputHTMLAttributes, useEffect, useEffectEvent, useState } from 'react';
import { anyLists } from '../messages/en-operator-service.ts';
import type { Filters } from './filters.ts';

const PAUSE_MS = 300;

export function Select({
  name,
  words,
  value,
  onChange,
}: {
  readonly name: string;
  /** By the word what is read. */
  readonly words: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChange: (word: string) => void;
}) {
  return (
    <label className="field operator-filter">
      <span className="small soft">{name}</span>
      <select className="input" value={value} onChange={({ target }) => onChange(target.value)}>
        {Object.entries(words).map(([word, label]) => (
          <option key={word} value={word}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

export function TypedFilter({
  name,
  value,
  onChange,
  ...more
}: {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'>) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [told, setTold] = useState<string | null>(null);
  if (known !== value) {
    setKnown(value);
    setTold(null);
    // By a link, or the way back. What was told comes back while the next letter is typed already.
    if (value !== told) setTyped(value);
  }
  const tell = useEffectEvent((now: string) => {
    setTold(now);
    onChange(now);
  });
  useEffect(() => {
    const now = typed.trim();
    if (now === value) return;
    const timer = setTimeout(() => tell(now), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <label className="field operator-filter">
      <span className="small soft">{name}</span>
      <input
        className="input"
        type="search"
        value={typed}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
        {...more}
      />
    </label>
  );
}

/** To one account, by its number. */
export function AccountFilter({
  account,
  onShow,
}: {
  readonly account: number | undefined;
  readonly onShow: (changed: Filters) => void;
}) {
  return (
    <TypedFilter
      name={anyLists.account}
      value={account === undefined ? '' : String(account)}
      placeholder={anyLists.allAccounts}
      inputMode="numeric"
      onChange={(typed) => onShow({ account: Number(typed) })}
    />
  );
}
