// The heading of a page. Promise: screen readers announce that another page is shown.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';

let isFirstPage = true;

export function PageTitle({
  children,
  name,
  stage,
}: {
  readonly children: ReactNode;
  readonly name?: string;
  /** Of a page that becomes another under the same heading. */
  readonly stage?: string;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const title = name ?? (typeof children === 'string' ? children : '');
  useEffect(() => {
    const before = document.title;
    document.title = title === '' ? 'MXProof' : `${title} · MXProof`;
    // After a sign-in on top of this page, the document's title is set back.
    return () => {
      document.title = before;
    };
  }, [title]);
  // Before the user can press a key on the new page, or the focus would be taken away from where they moved it.
  useLayoutEffect(() => {
    // A browser that has just opened the first page reads it from the top by itself.
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, []);
  const shownStage = useRef(stage);
  useLayoutEffect(() => {
    // The focus moves here only if the element that had it is gone.
    if (stage !== shownStage.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    shownStage.current = stage;
  }, [stage]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
