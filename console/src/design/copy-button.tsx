// Copies a text. Promise: it says whether that worked. Browsers offer the clipboard to https and to this machine alone, so
// elsewhere the text is selected, and copying it is one keystroke.
import { useEffect, useState } from 'react';
import { messages } from '../messages/messages.ts';
import { Button } from './button.tsx';

const SAID_FOR_MS = 3_000;
type Outcome = 'none' | 'copied' | 'selected';

export function CopyButton({
  text,
  label = messages.copy,
  shownIn,
}: {
  readonly text: string;
  readonly label?: string;
  /** Where the text can be seen, to be selected. */
  readonly shownIn: { readonly current: HTMLElement | null };
}) {
  const [outcome, setOutcome] = useState<Outcome>('none');
  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = setTimeout(() => setOutcome('none'), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      if (shownIn.current) getSelection()?.selectAllChildren(shownIn.current);
      setOutcome('selected');
    }
  }
  return (
    <span className="copy">
      <Button onPress={() => void copy()}>{outcome === 'copied' ? messages.copied : label}</Button>
      <span className={outcome === 'selected' ? 'small soft' : 'visually-hidden'} role="status">
        {outcome === 'none' ? '' : outcome === 'copied' ? messages.copied : messages.selected}
      </span>
    </span>
  );
}
