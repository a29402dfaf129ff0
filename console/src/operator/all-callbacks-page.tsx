// Callbacks of all accounts, first those that have failed for good; each is sent again by hand.
import type { AdminCallback } from '@mxproof/client/admin';
import { answerText, DeliveryState } from '../account/delivery-state.tsx';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { anyCallbacks as text } from '../messages/en-operator-service.ts';
import { messages } from '../messages/messages.ts';
import { AccountLink } from './account-link.tsx';
import { AccountFilter, Select } from './filter-fields.tsx';
import { pageOf, useFilters } from './filters.ts';
import { admin, useAdmin, useChange } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';
import { useMayChange } from './operator-session.ts';
import { FoundRecords, PageHead, Pager } from './page-parts.tsx';
import type { Column } from './records.tsx';

const EVERY_MS = 10_000;

const COLUMNS: readonly Column<AdminCallback>[] = [
  { name: text.list, cell: ({ list_id }) => messages.lists.unnamed(list_id) },
  { name: text.account, cell: ({ account_id }) => <AccountLink id={account_id} /> },
  {
    name: text.to,
    cell: ({ url, created_at }) => (
      <>
        <span className="mono">{url}</span>
        <span className="small soft records-below">{formatMoment(created_at)}</span>
      </>
    ),
  },
  { name: text.state, isShort: true, cell: ({ state }) => <DeliveryState state={state} /> },
  {
    name: text.latest,
    cell: ({ attempts }) => {
      const latest = attempts.at(-1);
      if (latest === undefined) return <span className="soft">{text.notYet}</span>;
      return (
        <>
          {answerText(latest)}
          <span className="small soft records-below">
            {text.attempts(attempts.length, formatMoment(latest.at))}
          </span>
        </>
      );
    },
  },
  { name: text.again, cell: (callback) => <Resend callback={callback} /> },
];

function Resend({ callback: { list_id, state } }: { readonly callback: AdminCallback }) {
  const resend = useChange((options) => admin.callbacks.resend(list_id, options));
  if (!useMayChange() || state === 'pending') return null;
  return (
    <>
      <Button
        variant="quiet"
        aria-label={text.resendOf(list_id)}
        isPending={resend.isPending}
        onPress={() => resend.mutate()}
      >
        {text.resend}
      </Button>
      {resend.error && <ProblemNotice>{operatorProblem(resend.error)}</ProblemNotice>}
    </>
  );
}

export function AllCallbacksPage() {
  const [filters, show] = useFilters();
  const { account, state = 'failed' } = filters;
  const query = {
    account,
    state: state === 'all' ? undefined : (state as AdminCallback['state']),
    ...pageOf(filters),
  };
  const found = useAdmin(
    ['callbacks', query],
    (options) => admin.callbacks.list({ ...query, ...options }),
    EVERY_MS,
  );
  return (
    <section className="stack operator-page">
      <PageHead title={text.title} intro={text.intro} />
      <div className="row operator-filters">
        <Select name={text.state} words={text.states} value={state} onChange={(state) => show({ state })} />
        <AccountFilter account={account} onShow={show} />
      </div>
      <FoundRecords
        of={found}
        name={text.title}
        columns={COLUMNS}
        rows={found.data}
        keyOf={({ list_id }) => list_id}
        none={state === 'failed' ? text.noneFailed : text.none}
      />
      <Pager filters={filters} rows={found.data?.length} onShow={show} />
    </section>
  );
}
