// Keys that work on every page: `/` search, `n` something new, `?` help. Promise: never while a text field has the focus.
import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';

const ShortcutHelp = lazy(() =>
  import('./shortcut-help.tsx').then(({ ShortcutHelp }) => ({ default: ShortcutHelp })),
);

/** The field that `/` goes to, on pages that have one. */
export const SEARCH_FIELD = { 'data-search-field': '' };

export function Shortcuts({
  search = '/',
  make = '/new',
  help,
}: {
  /** Where one searches, if the page has no such field. */
  readonly search?: string;
  readonly make?: string;
  /** What each means; unset: as on an account's pages. */
  readonly help?: readonly (readonly [key: string, meaning: string])[];
}) {
  const { history } = useRouter();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return;
    if (event.key === '?') setHelpOpen(true);
    else if (event.key === 'n') history.push(make);
    else if (event.key === '/') {
      event.preventDefault();
      const field = document.querySelector<HTMLElement>('[data-search-field]');
      if (field) field.focus();
      else history.push(search);
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
