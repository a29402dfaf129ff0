// Where the rows begin in the page, which scrolls as a whole. Promise: rows that are being read stay where they are, when
// rows come above them and when something above the table comes or goes; another arrangement begins at its top.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { PlacedRow } from './use-rows.ts';

/** The bar of the page, which stays in view above the table's own headings. */
const BAR = '.shell-bar';

interface Anchor {
  readonly row: PlacedRow;
  /** From the top of the window. */
  readonly atPx: number;
}

export function useSteadyRows({
  body,
  rows,
  arrangement,
  rowPx,
  onTop,
}: {
  readonly body: RefObject<HTMLElement | null>;
  readonly rows: readonly PlacedRow[];
  readonly arrangement: string;
  readonly rowPx: number;
  readonly onTop: () => void;
}) {
  const [topPx, setTopPx] = useState(0);
  const [barPx, setBarPx] = useState(0);
  /** The first row in view; null: the table's beginning is in view. */
  const anchor = useRef<Anchor | null>(null);
  const shown = useRef({ rows, arrangement });

  useLayoutEffect(() => {
    const element = body.current;
    if (!element) return;
    const topOf = () => element.getBoundingClientRect().top;
    const bar = document.querySelector(BAR);
    const heightOfBar = () => Math.round(bar?.getBoundingClientRect().height ?? 0);
    const remember = () => {
      const firstPx = heightOfBar() + rowPx;
      const index = Math.floor((firstPx - topOf()) / rowPx);
      const row = shown.current.rows[index];
      anchor.current = index < 0 || !row ? null : { row, atPx: topOf() + index * rowPx };
    };
    const measure = () => {
      keep(anchor.current, shown.current.rows, element, rowPx);
      setTopPx(Math.round(topOf() + window.scrollY));
      setBarPx(heightOfBar());
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    if (bar) observer.observe(bar);
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', remember);
    };
  }, [body, rowPx]);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { rows, arrangement };
    const element = body.current;
    if (!element) return;
    if (before.arrangement === arrangement) return keep(anchor.current, rows, element, rowPx);
    anchor.current = null;
    onTop();
    const { top } = element.getBoundingClientRect();
    const wantedPx = barPx + rowPx;
    if (top < wantedPx) window.scrollBy({ top: top - wantedPx, behavior: 'instant' });
  }, [body, rows, arrangement, rowPx, barPx, onTop]);

  return { topPx, barPx };
}

/** Scrolls so that the row is where it was. */
function keep(anchor: Anchor | null, rows: readonly PlacedRow[], element: HTMLElement, rowPx: number): void {
  const index = anchor === null ? -1 : rows.indexOf(anchor.row);
  if (anchor === null || index < 0) return;
  const movedPx = element.getBoundingClientRect().top + index * rowPx - anchor.atPx;
  if (Math.abs(movedPx) >= 1) window.scrollBy({ top: movedPx, behavior: 'instant' });
}
