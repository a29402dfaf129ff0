// All accounts: found by name, external id or number, a page at a time; a new one is made here.
import type { AdminAccount, GetAccountsQuery } from '@mxproof/client/admin';
import { Link } from '@tanstack/react-router';
import { Button } from '../design/button.tsx';
import { Choice } from '../design/choice.tsx';
import { formatCount } from '../design/format.ts';
import { accounts as text } from '../messages/en-operator-accounts.ts';
import { SEARCH_FIELD } from '../shell/shortcuts.tsx';
import { AccountStatus } from './account-status.tsx';
import { TypedFilter } from './filter-fields.tsx';
import { pageOf, useFilters } from './filters.ts';
import { NewAccountDialog } from './new-account.tsx';
import { admin, useAdmin } from './operator-api.ts';
import { useMayChange } from './operator-session.ts';
import { FoundRecords, PageHead, Pager } from './page-parts.tsx';
import type { Column } from './records.tsx';
import { ageOf } from './when.ts';

const STATUSES = Object.entries(text.statuses);

const COLUMNS: readonly Column<AdminAccount>[] = [
  {
    name: text.name,
    cell: ({ id, name }) => (
      <Link to="/operator/accounts/$id" params={{ id: String(id) }}>
        {name}
      </Link>
    ),
  },
  {
    name: text.externalId,
    // Nothing at all where there is none: a card leaves the line out.
    cell: ({ external_id }) => external_id && <span className="records-long">{external_id}</span>,
  },
  { name: text.status, cell: ({ status }) => <AccountStatus status={status} /> },
  { name: text.credits, isNumber: true, cell: ({ credits }) => formatCount(credits) },
  { name: text.used, isNumber: true, cell: ({ credits_used }) => formatCount(credits_used) },
  { name: text.lists, isNumber: true, cell: ({ lists }) => formatCount(lists) },
  {
    name: text.active,
    cell: ({ last_active_at: at }) => (at === null ? text.never : ageOf(at, Date.now() / 1_000)),
  },
];

export function AccountsPage() {
  const [filters, show] = useFilters();
  const { q, status = 'all', page, make } = filters;
  const mayChange = useMayChange();
  const query = {
    q,
    status: status === 'all' ? undefined : (status as GetAccountsQuery['status']),
    ...pageOf(filters),
  };
  const found = useAdmin(['accounts', query], (options) => admin.accounts.page({ ...query, ...options }));
  const { accounts, total = 0 } = found.data ?? {};
  return (
    <section className="stack operator-page">
      <PageHead title={text.title}>
        {mayChange && (
          <Button variant="primary" onPress={() => show({ page, make: true })}>
            {text.make}
          </Button>
        )}
      </PageHead>
      <div className="row operator-filters">
        <TypedFilter name={text.search} value={q ?? ''} onChange={(q) => show({ q })} {...SEARCH_FIELD} />
        <Choice
          title={text.status}
          options={STATUSES}
          value={status}
          onChange={(status) => show({ status })}
        />
        <p className="small soft push" role="status">
          {accounts && text.count(total ?? 0)}
        </p>
      </div>
      <FoundRecords
        of={found}
        name={text.title}
        columns={COLUMNS}
        rows={accounts}
        keyOf={({ id }) => id}
        none={q === undefined && status === 'all' ? text.none : text.noneFound}
      />
      <Pager filters={filters} rows={accounts?.length} total={total} onShow={show} />
      {mayChange && make && <NewAccountDialog onClose={() => show({ page, make: false })} />}
    </section>
  );
}
