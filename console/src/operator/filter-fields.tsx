// Fields that a table is narrowed by: one of several words, and what is typed, which counts when typing pauses.
import { type InputHTMLAttributes, useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 300;

export function Select<Word extends string>({
  name,
  words,
  value,
  onChange,
}: {
  readonly name: string;
  /** By the word what is read. */
  readonly words: Readonly<Record<Word, string>>;
  readonly value: Word;
  readonly onChange: (word: Word) => void;
}) {
  return (
    <label className="field operator-filter">
      <span className="small soft">{name}</span>
      <select className="input" value={value} onChange={({ target }) => onChange(target.value as Word)}>
        {Object.entries<string>(words).map(([word, label]) => (
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
  type = 'search',
  placeholder,
  onChange,
  ...more
}: {
  readonly name: string;
  readonly value: string;
  readonly type?: 'search' | 'date';
  readonly placeholder?: string;
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
        type={type}
        value={typed}
        placeholder={placeholder}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
        {...more}
      />
    </label>
  );
}
