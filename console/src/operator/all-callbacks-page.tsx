// Callbacks of all accounts, first those that have failed for good; each is sent again by hand.
import type { AdminCallback, AdminCallbackPage, AdminResending } from '@mxproof/client/admin';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { answerText, DeliveryState } from '../account/delivery-state.tsx';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { anyCallbacks as text } from '../messages/en-operator-service.ts';
import { messages } from '../messages/messages.ts';
import { AccountFilter } from './account-filter.tsx';
import { Select } from './filter-fields.tsx';
import { useOperatorQuery } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';
import { useMayChange } from './operator-session.ts';
import { PageHead, ReadingState } from './page-head.tsx';
import { Pager } from './pager.tsx';
import { type Column, Records } from './records.tsx';
import type { CallbacksSearch } from './searches.ts';
import { useChange } from './use-change.ts';

const PAGE_CALLBACKS = 50;
const EVERY_MS = 10_000;

const COLUMNS: readonly Column<AdminCallback>[] = [
  {
    name: text.list,
    cell: ({ list_id, account_id }) => (
      <>
        {messages.lists.unnamed(list_id)}
        <Link className="small records-below" to="/operator/accounts/$id" params={{ id: String(account_id) }}>
          {text.account(account_id)}
        </Link>
      </>
    ),
  },
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
  { name: text.latest, cell: latestOf },
  { name: text.again, cell: (callback) => <Resend callback={callback} /> },
];

function latestOf({ attempts, next_attempt_at: next }: AdminCallback) {
  const latest = attempts.at(-1);
  if (latest === undefined) return <span className="soft">{text.notYet}</span>;
  return (
    <>
      {answerText(latest)}
      <span className="small soft records-below">
        {[
          text.attempts(attempts.length),
          formatMoment(latest.at),
          next !== null && text.next(formatMoment(next)),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </>
  );
}

function Resend({ callback: { list_id, state, attempts } }: { readonly callback: AdminCallback }) {
  const resend = useChange<void, AdminResending>(() => ({
    method: 'POST',
    path: `/callbacks/${list_id}/resend`,
    body: {},
  }));
  const isSent = attempts.length > 0 && state !== 'pending';
  if (!useMayChange() || !isSent) return null;
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
      {resend.isError && <ProblemNotice>{operatorProblem(resend.error)}</ProblemNotice>}
    </>
  );
}

export function AllCallbacksPage() {
  const { account, state = 'failed', page = 1 } = useSearch({ from: '/operator/callbacks' });
  const navigate = useNavigate();
  const show = (search: CallbacksSearch) =>
    void navigate({
      to: '/operator/callbacks',
      search: { account, ...(state !== 'failed' && { state }), ...search },
      replace: true,
    });
  const found = useOperatorQuery<AdminCallbackPage>('/callbacks', {
    query: {
      account,
      state: state === 'all' ? undefined : state,
      offset: (page - 1) * PAGE_CALLBACKS,
      limit: PAGE_CALLBACKS,
    },
    everyMs: EVERY_MS,
  });
  const callbacks = found.data?.callbacks ?? [];
  return (
    <section className="stack operator-page">
      <PageHead title={text.title} intro={text.intro} />
      <div className="row operator-filters">
        <Select
          name={text.state}
          words={text.states}
          value={state}
          onChange={(word) => show({ state: word === 'failed' ? undefined : word })}
        />
        <AccountFilter account={account} onChange={(account) => show({ account })} />
      </div>
      <ReadingState of={found} />
      {found.isSuccess && callbacks.length === 0 && (
        <p className="soft">{state === 'failed' ? text.noneFailed : text.none}</p>
      )}
      {callbacks.length > 0 && (
        <Records
          name={text.title}
          columns={COLUMNS}
          rows={callbacks}
          keyOf={({ list_id }) => list_id}
          isStale={found.isPlaceholderData}
        />
      )}
      <Pager
        page={page}
        pages={null}
        hasMore={callbacks.length === PAGE_CALLBACKS}
        onPage={(page) => show({ page })}
      />
    </section>
  );
}
