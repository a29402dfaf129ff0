// Lists of all accounts: narrowed by account and status, each opened to see what it waits for.
import type { AdminList, AdminListPage } from '@mxproof/client/admin';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { anyLists as text } from '../messages/en-operator-service.ts';
import { AccountFilter } from './account-filter.tsx';
import { Select } from './filter-fields.tsx';
import { listColumns } from './list-columns.tsx';
import { ListPanel } from './list-panel.tsx';
import { useOperatorQuery } from './operator-api.ts';
import { PageHead, ReadingState } from './page-head.tsx';
import { Pager } from './pager.tsx';
import { Records } from './records.tsx';
import type { ListsSearch } from './searches.ts';

const PAGE_LISTS = 50;
const EVERY_MS = 5_000;

export function AllListsPage() {
  const { account, status, page = 1 } = useSearch({ from: '/operator/lists' });
  const [open, setOpen] = useState<AdminList | null>(null);
  const navigate = useNavigate();
  const show = (search: ListsSearch) =>
    void navigate({ to: '/operator/lists', search: { account, status, ...search }, replace: true });
  const found = useOperatorQuery<AdminListPage>('/lists', {
    query: {
      account,
      ...(status === 'stuck' ? { stuck: true } : { status }),
      offset: (page - 1) * PAGE_LISTS,
      limit: PAGE_LISTS,
    },
    everyMs: EVERY_MS,
  });
  const lists = found.data?.lists ?? [];
  return (
    <section className="stack operator-page">
      <PageHead title={text.title} intro={status === 'stuck' ? text.stuckHint : text.intro} />
      <div className="row operator-filters">
        <Select
          name={text.status}
          words={text.statuses}
          value={status ?? 'all'}
          onChange={(word) => show({ status: word === 'all' ? undefined : word })}
        />
        <AccountFilter account={account} onChange={(account) => show({ account })} />
      </div>
      <ReadingState of={found} />
      {found.isSuccess && lists.length === 0 && <p className="soft">{text.none}</p>}
      {lists.length > 0 && (
        <Records
          name={text.title}
          columns={listColumns(setOpen)}
          rows={lists}
          keyOf={({ id }) => id}
          isStale={found.isPlaceholderData}
        />
      )}
      <Pager
        page={page}
        pages={null}
        hasMore={lists.length === PAGE_LISTS}
        onPage={(page) => show({ page })}
      />
      {open && (
        <ListPanel list={lists.find(({ id }) => id === open.id) ?? open} onClose={() => setOpen(null)} />
      )}
    </section>
  );
}
