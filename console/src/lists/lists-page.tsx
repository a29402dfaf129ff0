// Every list of the account, newest first; a page at a time as one scrolls, found by name, renamed in place, several deleted
// at once. What was made of a list lies under it.
import './lists.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Input, Label, SearchField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { listsMessages as text } from '../messages/en-lists.ts';
import { keys, mx } from '../shell/api.ts';
import { useMay } from '../shell/own-session.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { problemText } from '../shell/problem.ts';
import { SEARCH_FIELD } from '../shell/shortcuts.tsx';
import { foldGroups } from './fold-groups.ts';
import { foldMade, isRunning } from './fold-made.ts';
import { ListRow } from './list-row.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useGroups } from './use-groups.ts';
import { useMade } from './use-made.ts';

const PAGE_LISTS = 100;
/** While something is being checked. */
const REFRESH_MS = 3_000;

export function ListsPage() {
  const may = useMay();
  const [wanted, setWanted] = useState('');
  const lists = useInfiniteQuery({
    queryKey: keys.lists,
    queryFn: ({ pageParam, signal }) =>
      mx.lists.list({ offset: pageParam, limit: PAGE_LISTS, include: ['group', 'paused'], signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE_LISTS ? undefined : pages.length * PAGE_LISTS),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.some(({ finished_at }) => finished_at === null) ? REFRESH_MS : false,
  });
  const read = lists.data?.pages.flat() ?? [];
  const { made, isKnown } = useMade(read);
  const groups = useGroups(read);
  const all = foldMade(foldGroups(read.filter(isKnown), groups), made);
  const [selectedIds, setSelected] = useState<readonly number[]>([]);
  const needle = wanted.trim().toLocaleLowerCase();
  const found = all.filter(({ list, later }) =>
    [list, ...later.map((one) => one.list)].some(({ name, id }) =>
      `${name} ${id}`.toLocaleLowerCase().includes(needle),
    ),
  );
  // What is not shown is not deleted.
  const selectable = found.filter((family) => !isRunning(family));
  const selected = selectable.filter(({ list }) => selectedIds.includes(list.id));
  return (
    <section className="stack lists">
      <div className="row">
        <PageTitle>{text.title}</PageTitle>
        {may.change && all.length > 0 && (
          <Link to="/new" className="button push" data-primary>
            {text.drop}
          </Link>
        )}
      </div>
      {lists.isError && <ProblemNotice>{problemText(lists.error)}</ProblemNotice>}
      {lists.isSuccess && read.length === 0 && <NoLists />}
      {all.length > 0 && (
        <>
          <SearchField className="field" value={wanted} onChange={setWanted}>
            <Label className="visually-hidden">{text.search}</Label>
            <Input className="input" placeholder={text.search} {...SEARCH_FIELD} />
          </SearchField>
          <p className="visually-hidden" role="status">
            {needle === '' ? '' : text.found(found.length)}
          </p>
          {may.change && (
            <SelectionBar
              selectable={selectable}
              selected={selected}
              onSelect={(families) => setSelected(families.map(({ list }) => list.id))}
            />
          )}
          <ul className="list-rows card">
            {found.map((family) => (
              <ListRow
                key={family.list.id}
                family={family}
                mayChange={may.change}
                isSelected={selected.includes(family)}
                onSelect={(isSelected) =>
                  setSelected(
                    isSelected
                      ? [...selectedIds, family.list.id]
                      : selectedIds.filter((id) => id !== family.list.id),
                  )
                }
              />
            ))}
          </ul>
          {found.length === 0 && <p className="soft">{text.noneFound}</p>}
        </>
      )}
      {lists.hasNextPage && (
        <Button isDisabled={lists.isFetchingNextPage} onPress={() => void lists.fetchNextPage()}>
          {text.more}
        </Button>
      )}
    </section>
  );
}

function NoLists() {
  const may = useMay();
  if (!may.change) return <p className="soft">{text.emptyForViewers}</p>;
  return (
    <div className="card stack empty">
      <h2>{text.emptyTitle}</h2>
      <p className="soft">{text.emptyHint}</p>
      <p>
        <Link to="/new" className="button" data-primary>
          {text.emptyAction}
        </Link>
      </p>
    </div>
  );
}
