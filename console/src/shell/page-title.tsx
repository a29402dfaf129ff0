// The heading of a page. Promise: whoever listens rather than looks is told that another page is there.
import { type ReactNode, useEffect, useRef } from 'react';

let isFirstPage = true;

export function PageTitle({ children, name }: { readonly children: ReactNode; readonly name?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const title = name ?? (typeof children === 'string' ? children : '');
  useEffect(() => {
    const before = document.title;
    document.title = title === '' ? 'MXProof' : `${title} · MXProof`;
    // A sign-in in between gives the name back to the page beneath it.
    return () => {
      document.title = before;
    };
  }, [title]);
  useEffect(() => {
    // A browser that has just opened the first page reads it from the top by itself.
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
