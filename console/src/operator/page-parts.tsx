// What operator's pages are made of: a head, and a table of what was found, with what stands in its place and the way to the next page.
import { Refusal } from '@mxproof/client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { operator as text } from '../messages/en-operator.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { type Filters, hasMore } from './filters.ts';
import { operatorProblem } from './operator-problem.ts';
import { type Column, Records } from './records.tsx';

type Found = Pick<UseQueryResult, 'error' | 'isPending' | 'isPlaceholderData'>;

export function PageHead({
  title,
  intro,
  children,
}: {
  readonly title: string;
  readonly intro?: ReactNode;
  /** Beside the title. */
  readonly children?: ReactNode;
}) {
  return (
    <div className="stack operator-head">
      <div className="row">
        <PageTitle>{title}</PageTitle>
        {children && <div className="push">{children}</div>}
      </div>
      {intro !== undefined && <p className="soft operator-intro">{intro}</p>}
    </div>
  );
}

/** What was asked for is refused, or there is no answer, or not yet. */
export function ReadingState({ of: { error, isPending } }: { readonly of: Found }) {
  if (error)
    return <ProblemNotice>{error instanceof Refusal ? operatorProblem(error) : text.noAnswer}</ProblemNotice>;
  return isPending ? <p role="status">{text.loading}</p> : null;
}

export function FoundRecords<Row>({
  of,
  rows,
  none,
  ...table
}: {
  readonly of: Found;
  readonly rows: readonly Row[] | undefined;
  /** There are none. */
  readonly none: string;
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => number | string;
}) {
  return (
    <>
      <ReadingState of={of} />
      {rows?.length === 0 && <p className="soft">{none}</p>}
      {rows && rows.length > 0 && <Records {...table} rows={rows} isStale={of.isPlaceholderData} />}
    </>
  );
}

/** From page to page; the page is a part of the address. */
export function Pager({
  filters,
  rows = 0,
  total = null,
  onShow,
}: {
  readonly filters: Filters;
  /** On this page. */
  readonly rows: number | undefined;
  /** On all pages; null: not known. */
  readonly total?: number | null;
  readonly onShow: (changed: Filters) => void;
}) {
  const { page = 1 } = filters;
  const isLast = !hasMore(filters, rows, total);
  if (page === 1 && isLast) return null;
  return (
    <nav className="row operator-pager" aria-label={text.pager.name}>
      <Button isDisabled={page === 1} onPress={() => onShow({ page: page - 1 })}>
        {text.pager.before}
      </Button>
      <span className="small soft">{text.pager.page(page)}</span>
      <Button isDisabled={isLast} onPress={() => onShow({ page: page + 1 })}>
        {text.pager.next}
      </Button>
    </nav>
  );
}
