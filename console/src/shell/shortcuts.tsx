// Keys that work on every page: `/` search, `n` new list, `?` help. Promise: never while a text field has the focus.
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';

const ShortcutHelp = lazy(() =>
  import('./shortcut-help.tsx').then(({ ShortcutHelp }) => ({ default: ShortcutHelp })),
);

/** The field that `/` goes to, on pages that have one. */
export const SEARCH_FIELD = { 'data-search-field': '' };

export function Shortcuts() {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      if (event.key === '?') setHelpOpen(true);
      else if (event.key === 'n') void navigate({ to: '/new' });
      else if (event.key === '/') {
        event.preventDefault();
        const field = document.querySelector<HTMLElement>('[data-search-field]');
        if (field) field.focus();
        else void navigate({ to: '/' });
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate]);
  return (
    isHelpOpen && (
      <Suspense>
        <ShortcutHelp onClose={() => setHelpOpen(false)} />
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
