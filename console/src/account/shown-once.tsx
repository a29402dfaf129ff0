// A secret, shown this once, to be copied. Promise: screen readers announce that it is there.
import { useEffect, useRef } from 'react';
import { CopyButton } from '../design/copy-button.tsx';

export function ShownOnce({
  name,
  secret,
  warning,
  copyLabel,
  isFirst = true,
}: {
  readonly name: string;
  readonly secret: string;
  readonly warning: string;
  readonly copyLabel: string;
  /** False: another one of the dialogue is read first. */
  readonly isFirst?: boolean;
}) {
  const group = useRef<HTMLFieldSetElement>(null);
  const shown = useRef<HTMLElement>(null);
  // The button that asked for it is gone.
  useEffect(() => {
    if (isFirst) group.current?.focus();
  }, [isFirst]);
  return (
    <fieldset className="shown-once stack" ref={group} tabIndex={-1} aria-label={name}>
      <p>{warning}</p>
      <code className="secret" ref={shown}>
        {secret}
      </code>
      <CopyButton text={secret} label={copyLabel} shownIn={shown} />
    </fieldset>
  );
}
