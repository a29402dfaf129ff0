// Every list of the account, newest first; a page at a time as one scrolls, found by name, renamed in place.
import './lists.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Input, Label, SearchField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { problemText } from '../shell/problem.ts';
import { SEARCH_FIELD } from '../shell/shortcuts.tsx';
import { foldGroups } from './fold-groups.ts';
import { ListRow } from './list-row.tsx';
import { useGroups } from './use-groups.ts';

const text = messages.lists;
const PAGE_LISTS = 100;
/** While something is being checked. */
const REFRESH_MS = 3_000;

export function ListsPage() {
  const [wanted, setWanted] = useState('');
  const lists = useInfiniteQuery({
    queryKey: keys.lists,
    queryFn: ({ pageParam, signal }) =>
      mx.lists.list({ offset: pageParam, limit: PAGE_LISTS, include: 'group', signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE_LISTS ? undefined : pages.length * PAGE_LISTS),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.some(({ finished_at }) => finished_at === null) ? REFRESH_MS : false,
  });
  const read = lists.data?.pages.flat() ?? [];
  const all = foldGroups(read, useGroups(read));
  const needle = wanted.trim().toLocaleLowerCase();
  const found = all.filter(({ list: { name, id } }) => `${name} ${id}`.toLocaleLowerCase().includes(needle));
  return (
    <section className="stack lists">
      <div className="row">
        <PageTitle>{text.title}</PageTitle>
        {all.length > 0 && (
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
          <ul className="list-rows card">
            {found.map(({ list, parts }) => (
              <ListRow key={list.id} list={list} mayRename={parts === 1} />
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
