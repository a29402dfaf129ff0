// One of a few: radio buttons that look like one control.
import './choice.css';
import { useId } from 'react';

export function Choice<Value extends string>({
  title,
  options,
  value,
  onChange,
}: {
  /** Read out, not shown. */
  readonly title: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="choice small">
      <legend className="visually-hidden">{title}</legend>
      {options.map(([option, label]) => (
        <label key={option}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
