// A secret, shown this once, to be copied.
import { useRef } from 'react';
import { CopyButton } from '../design/copy-button.tsx';

export function ShownOnce({
  secret,
  warning,
  copyLabel,
}: {
  readonly secret: string;
  readonly warning: string;
  readonly copyLabel: string;
}) {
  const shown = useRef<HTMLElement>(null);
  return (
    <>
      <p>{warning}</p>
      <code className="secret" ref={shown}>
        {secret}
      </code>
      <CopyButton text={secret} label={copyLabel} shownIn={shown} />
    </>
  );
}
