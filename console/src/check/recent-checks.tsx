// The latest single checks of the account, each a way back to its result. Programs of the account may have made them too.
import type { ListSummary } from '@mxproof/client';
import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ActionMark } from '../design/action-mark.tsx';
import { formatMoment } from '../design/format.ts';
import { StateMark, StateShape } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';

const text = messages.check;
const SHOWN = 10;
/** While one of them is being checked. */
const REFRESH_MS = 3_000;

/** `onOpen`: of one that is shown already, too. */
export function RecentChecks({ onOpen }: { readonly onOpen: () => void }) {
  const checks = useQuery({
    queryKey: keys.checks,
    queryFn: ({ signal }) => mx.lists.list({ single: 'only', include: 'email', limit: SHOWN, signal }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ finished_at }) => finished_at === null) ? REFRESH_MS : false,
  });
  // What is past its retention has no address any more.
  const shown = (checks.data ?? []).filter(({ email }) => email != null);
  if (shown.length === 0) return null;
  return (
    <section className="stack recent-checks" aria-labelledby="recent-checks">
      <h2 id="recent-checks">{text.recent}</h2>
      <ul className="card">
        {shown.map((check) => (
          <li key={check.id}>
            <Link to="/" search={{ check: check.id }} onClick={onOpen}>
              <span className="recent-address mono">{check.email || messages.check.erased}</span>
              <Outcome check={check} />
              <time className="small soft" dateTime={new Date(check.created_at * 1000).toISOString()}>
                {formatMoment(check.created_at)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Outcome({ check: { id, status, counts } }: { readonly check: ListSummary }) {
  const isRisky = counts.risky > 0;
  // What to do with a risky one depends on its reason, which no summary has.
  const row = useQuery({
    queryKey: [...keys.list(id), 'row'],
    queryFn: async ({ signal }) => (await mx.lists.page(id, { limit: 1, signal })).results[0] ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isRisky,
  });
  if (status === 'failed') return <span className="small soft">{text.stopped}</span>;
  if (isRisky) return row.data && <ActionMark row={row.data} />;
  const state = STATE_WORDS.find((one) => counts[one] > 0);
  if (state === undefined) return <StateMark state="pending" />;
  return (
    <span className="state-mark" data-state={state}>
      <StateShape state={state} />
      {messages.todo[state]}
    </span>
  );
}
