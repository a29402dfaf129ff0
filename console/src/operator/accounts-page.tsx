// All accounts: found by name, external id or number, a page at a time; a new one is made here.
import type { AdminAccount, AdminAccountPage } from '@mxproof/client/admin';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from '../design/button.tsx';
import { Choice } from '../design/choice.tsx';
import { formatCount } from '../design/format.ts';
import { accounts as text } from '../messages/en-operator-accounts.ts';
import { SEARCH_FIELD } from '../shell/shortcuts.tsx';
import { AccountStatus } from './account-status.tsx';
import { TypedFilter } from './filter-fields.tsx';
import { NewAccountDialog } from './new-account.tsx';
import { useOperatorQuery } from './operator-api.ts';
import { useMayChange } from './operator-session.ts';
import { PageHead, ReadingState } from './page-head.tsx';
import { Pager } from './pager.tsx';
import { type Column, Records } from './records.tsx';
import type { AccountsSearch } from './searches.ts';
import { ageOf } from './when.ts';

const PAGE_ACCOUNTS = 50;
const STATUSES = Object.entries(text.statuses) as [keyof typeof text.statuses, string][];

const COLUMNS: readonly Column<AdminAccount>[] = [
  {
    name: text.name,
    cell: ({ id, name }) => (
      <Link to="/operator/accounts/$id" params={{ id: String(id) }}>
        {name}
      </Link>
    ),
  },
  { name: text.externalId, cell: ({ external_id }) => external_id },
  { name: text.status, isShort: true, cell: ({ status }) => <AccountStatus status={status} /> },
  { name: text.credits, isNumber: true, cell: ({ credits }) => formatCount(credits) },
  { name: text.used, isNumber: true, cell: ({ credits_used }) => formatCount(credits_used) },
  { name: text.lists, isNumber: true, cell: ({ lists }) => formatCount(lists) },
  {
    name: text.active,
    cell: ({ last_active_at: at }) => (at === null ? text.never : ageOf(at, Date.now() / 1_000)),
  },
];

export function AccountsPage() {
  const { q = '', status, page = 1, make } = useSearch({ from: '/operator/accounts' });
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const show = (search: AccountsSearch) =>
    void navigate({ to: '/operator/accounts', search: { q, status, ...search }, replace: true });
  const found = useOperatorQuery('/accounts', {
    query: { q, status, offset: (page - 1) * PAGE_ACCOUNTS, limit: PAGE_ACCOUNTS },
    read: async (answer) => ({
      ...((await answer.json()) as AdminAccountPage),
      total: Number(answer.headers.get('x-total-count')),
    }),
  });
  const { data } = found;
  const pages = Math.ceil((data?.total ?? 0) / PAGE_ACCOUNTS);
  return (
    <section className="stack operator-page">
      <PageHead title={text.title}>
        {mayChange && (
          <div className="push">
            <Button variant="primary" onPress={() => show({ page, make: true })}>
              {text.make}
            </Button>
          </div>
        )}
      </PageHead>
      <div className="row operator-filters">
        <TypedFilter name={text.search} value={q} onChange={(q) => show({ q })} {...SEARCH_FIELD} />
        <Choice
          title={text.status}
          options={STATUSES}
          value={status ?? 'all'}
          onChange={(word) => show({ status: word === 'all' ? undefined : word })}
        />
        <p className="small soft push" role="status">
          {data && text.count(data.total)}
        </p>
      </div>
      <ReadingState of={found} />
      {data?.total === 0 && (
        <p className="soft">{q === '' && status === undefined ? text.none : text.noneFound}</p>
      )}
      {data && data.accounts.length > 0 && (
        <Records
          name={text.title}
          columns={COLUMNS}
          rows={data.accounts}
          keyOf={({ id }) => id}
          isStale={found.isPlaceholderData}
        />
      )}
      <Pager page={page} pages={pages} hasMore={page < pages} onPage={(page) => show({ page })} />
      {mayChange && make && <NewAccountDialog onClose={() => show({ page })} />}
    </section>
  );
}
