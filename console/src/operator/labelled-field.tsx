// A field with its name, and what may be said below it.
import type { InputHTMLAttributes } from 'react';

export function LabelledField({
  name,
  hint,
  value,
  onChange,
  ...more
}: {
  readonly name: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'value' | 'onChange'>) {
  return (
    <label className="field">
      <span className="field-name">{name}</span>
      <input
        className="input"
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        {...more}
      />
      {hint !== undefined && <span className="small soft">{hint}</span>}
    </label>
  );
}
