// From page to page of a table; the page is a part of the address.
import { Button } from '../design/button.tsx';
import { operator } from '../messages/en-operator.ts';

const text = operator.pager;

export function Pager({
  page,
  pages,
  hasMore,
  onPage,
}: {
  /** The first is 1. */
  readonly page: number;
  /** Null: it is not known how many there are. */
  readonly pages: number | null;
  readonly hasMore: boolean;
  readonly onPage: (page: number) => void;
}) {
  if (page === 1 && !hasMore) return null;
  return (
    <nav className="row operator-pager" aria-label={text.name}>
      <Button isDisabled={page === 1} onPress={() => onPage(page - 1)}>
        {text.newer}
      </Button>
      <span className="small soft" aria-current="page">
        {text.page(page, pages)}
      </span>
      <Button isDisabled={!hasMore} onPress={() => onPage(page + 1)}>
        {text.older}
      </Button>
    </nav>
  );
}
