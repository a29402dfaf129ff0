// Keys that work on every page: `/` search, `n` something new, `?` help. Promise: never while a text field has the focus.
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';

const ShortcutHelp = lazy(() =>
  import('./shortcut-help.tsx').then(({ ShortcutHelp }) => ({ default: ShortcutHelp })),
);

/** The field that `/` goes to, on pages that have one. */
export const SEARCH_FIELD = { 'data-search-field': '' };

export function Shortcuts({
  help,
  onSearch,
  onNew,
}: {
  /** What each means; unset: as on an account's pages. */
  readonly help?: readonly (readonly [key: string, meaning: string])[];
  /** The page has no such field. */
  readonly onSearch: () => void;
  readonly onNew: () => void;
}) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return;
    if (event.key === '?') setHelpOpen(true);
    else if (event.key === 'n') onNew();
    else if (event.key === '/') {
      event.preventDefault();
      const field = document.querySelector<HTMLElement>('[data-search-field]');
      if (field) field.focus();
      else onSearch();
    }
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    isHelpOpen && (
      <Suspense>
        <ShortcutHelp keys={help} onClose={() => setHelpOpen(false)} />
      </Suspense>
    )
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input:not([type=file]), textarea, select, [role=dialog], [role=menu]') !== null)
  );
}
