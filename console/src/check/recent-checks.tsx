// The latest single checks of the account, each a way back to its result. Programs of the account may have made them too.
import type { ListSummary } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatMoment } from '../design/format.ts';
import { type State, StateMark } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';

const text = messages.check;
const SHOWN = 10;
/** While one of them is being checked. */
const REFRESH_MS = 3_000;

export function RecentChecks() {
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
            <Link to="/" search={{ check: check.id }}>
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

function Outcome({ check: { status, counts } }: { readonly check: ListSummary }) {
  if (status === 'failed') return <span className="small soft">{text.stopped}</span>;
  const states = Object.keys(counts) as (keyof ListSummary['counts'])[];
  const state: State = states.find((one) => counts[one] > 0) ?? 'pending';
  return <StateMark state={state} />;
}
