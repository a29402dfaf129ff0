// What the table shows, kept in the address. Promise: Back undoes a choice; typing adds no step to the history, and is
// written to the address once the user pauses; the table follows at once in both cases.
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readView, type View, writeView } from './view.ts';

/** Browsers limit how often an address may change. */
const TYPED_MS = 400;

export function useView() {
  const router = useRouter();
  const navigate = useNavigate();
  // Not `hash`, which is decoded already.
  const { href, pathname } = useLocation();
  const fragment = href.slice(href.indexOf('#') + 1 || href.length);
  const [view, setView] = useState(() => readView(fragment));
  const written = useRef(fragment);
  const ownPath = useRef(pathname);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Typed, and not written yet. */
  const typed = useRef<View | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);

  // Back, Forward, or a link.
  useEffect(() => {
    if (pathname !== ownPath.current || fragment === written.current) return;
    clearTimeout(timer.current);
    typed.current = null;
    written.current = fragment;
    setView(readView(fragment));
  }, [pathname, fragment]);

  const write = useCallback(
    (wanted: View, isStep: boolean) => {
      const hash = writeView(wanted);
      if (hash === written.current) return;
      written.current = hash;
      void navigate({ to: '.', hash, replace: !isStep, resetScroll: false, hashScrollIntoView: false });
    },
    [navigate],
  );
  /** `isTyped`: letter by letter. */
  const show = useCallback(
    (wanted: View, isTyped = false) => {
      setView(wanted);
      clearTimeout(timer.current);
      const writeTyped = () => {
        if (typed.current) write(typed.current, false);
        typed.current = null;
      };
      if (isTyped) {
        typed.current = wanted;
        timer.current = setTimeout(writeTyped, TYPED_MS);
      } else {
        // A step of its own before this one, or Back would undo both.
        writeTyped();
        router.history.flush();
        write(wanted, true);
      }
    },
    [router, write],
  );
  return [view, show] as const;
}
