// A box to tick, with what it means.
import './tick.css';

export function Tick({
  name,
  hint,
  isSet,
  isDisabled = false,
  onChange,
}: {
  readonly name: string;
  readonly hint?: string;
  readonly isSet: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isSet: boolean) => void;
}) {
  return (
    <label className="tick">
      <input
        type="checkbox"
        checked={isSet}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        <span className="field-name">{name}</span>{' '}
        {hint !== undefined && <span className="tick-hint small soft">{hint}</span>}
      </span>
    </label>
  );
}
