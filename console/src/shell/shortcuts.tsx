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
    if (event.key !== 'n' && event.key !== '/') return;
    // A field that has the focus at once would be typed in.
    event.preventDefault();
    if (event.key === 'n') return history.push(make);
    const field = document.querySelector<HTMLElement>('[data-search-field]');
    if (field) field.focus();
    else history.push(search);
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
