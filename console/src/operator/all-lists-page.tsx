// Lists of all accounts: narrowed by account and status, each opened to see what it waits for.
import type { AdminList, GetAllListsQuery } from '@mxproof/client/admin';
import { useState } from 'react';
import { anyLists as text } from '../messages/en-operator-service.ts';
import { AccountFilter, Select } from './filter-fields.tsx';
import { pageOf, useFilters } from './filters.ts';
import { listColumns } from './list-columns.tsx';
import { ListPanel } from './list-panel.tsx';
import { admin, useAdmin } from './operator-api.ts';
import { FoundRecords, PageHead, Pager } from './page-parts.tsx';

const EVERY_MS = 5_000;

export function AllListsPage() {
  const [filters, show] = useFilters();
  const [open, setOpen] = useState<AdminList | null>(null);
  const { account, status = 'all' } = filters;
  const isOne = status !== 'all' && status !== 'stuck';
  const query: GetAllListsQuery = {
    account,
    stuck: status === 'stuck' || undefined,
    status: isOne ? (status as AdminList['status']) : undefined,
    ...pageOf(filters),
  };
  const found = useAdmin(['lists', query], (options) => admin.lists.list({ ...query, ...options }), EVERY_MS);
  const lists = found.data;
  return (
    <section className="stack operator-page">
      <PageHead title={text.title} intro={status === 'stuck' ? text.stuckHint : text.intro} />
      <div className="row operator-filters">
        <Select
          name={text.status}
          words={text.statuses}
          value={status}
          onChange={(status) => show({ status })}
        />
        <AccountFilter account={account} onShow={show} />
      </div>
      <FoundRecords
        of={found}
        name={text.title}
        columns={listColumns(setOpen)}
        rows={lists}
        keyOf={({ id }) => id}
        none={text.none}
      />
      <Pager filters={filters} rows={lists?.length} onShow={show} />
      {open && (
        <ListPanel list={lists?.find(({ id }) => id === open.id) ?? open} onClose={() => setOpen(null)} />
      )}
    </section>
  );
}
