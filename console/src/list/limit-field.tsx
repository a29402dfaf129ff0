// A risk of bouncing that somebody chooses, in percent. What is no such number is not taken over.
import { useState } from 'react';
import { listMessages } from '../messages/en-list.ts';
import { isLimit } from './download-choice.ts';

const text = listMessages.risk;

export function LimitField({
  limit,
  onChange,
}: {
  readonly limit: number;
  readonly onChange: (limit: number) => void;
}) {
  const [typed, setTyped] = useState(String(limit));
  return (
    <label className="limit-field">
      {text.below}
      <input
        className="input"
        type="number"
        min="0.1"
        max="100"
        step="any"
        inputMode="decimal"
        value={typed}
        aria-invalid={!isLimit(Number(typed))}
        onChange={({ target }) => {
          setTyped(target.value);
          if (isLimit(Number(target.value))) onChange(Number(target.value));
        }}
        onBlur={() => setTyped(String(limit))}
      />
      %
    </label>
  );
}
