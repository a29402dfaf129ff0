// One list's callback: where it goes, whether it arrived, each attempt, and sending it again.
import type { Callback, ListSummary } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { StateShape } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { accountProblem } from './account-problem.ts';

const text = messages.callbacks;
/** The shapes that people know from results. */
const SHAPES = { pending: 'pending', delivered: 'deliverable', failed: 'undeliverable' } as const;

export function CallbackRow({ list, callback }: { readonly list: ListSummary; readonly callback: Callback }) {
  const queries = useQueryClient();
  const name = list.name === '' ? messages.lists.unnamed(list.id) : list.name;
  const resend = useMutation({
    mutationFn: () => mx.lists.resendCallback(list.id),
    onSuccess: (now) => queries.setQueryData(keys.callback(list.id), now),
    // It may have gone meanwhile, or be on its way.
    onError: () => queries.invalidateQueries({ queryKey: keys.callback(list.id) }),
  });
  const { url, state, attempts } = callback;
  const next = whatNext(list, callback);
  return (
    <li className="entry">
      <div>
        <p className="row">
          <Link to="/lists/$id" params={{ id: String(list.id) }} className="entry-name">
            {name}
          </Link>
          <span className="callback-state small" data-state={SHAPES[state]} role="status">
            <StateShape state={SHAPES[state]} />
            {text.states[state]}
          </span>
        </p>
        <p className="mono small callback-url">{url}</p>
        {next !== null && <p className="small soft">{next}</p>}
        {attempts.length > 0 && <Attempts attempts={attempts} />}
        {resend.isError && <ProblemNotice>{accountProblem(resend.error)}</ProblemNotice>}
      </div>
      {list.finished_at !== null && (
        <Button
          look="quiet"
          aria-label={text.resend(name)}
          isPending={state === 'pending' || resend.isPending}
          onPress={() => resend.mutate()}
        >
          {text.resendShort}
        </Button>
      )}
    </li>
  );
}

function whatNext(list: ListSummary, { state, next_attempt_at }: Callback): string | null {
  if (state !== 'pending') return null;
  if (list.finished_at === null) return text.untilDone;
  return next_attempt_at === null ? null : text.nextAttempt(formatMoment(next_attempt_at));
}

function Attempts({ attempts }: Pick<Callback, 'attempts'>) {
  return (
    <details className="more">
      <summary className="small">{text.attempts(attempts.length)}</summary>
      <table className="table small">
        <thead>
          <tr>
            <th scope="col">{text.at}</th>
            <th scope="col">{text.answer}</th>
            <th scope="col">{text.took}</th>
          </tr>
        </thead>
        <tbody>
          {attempts.toReversed().map(({ at, status, error, duration_ms }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two attempts may be in the same second.
            <tr key={place}>
              <td>{formatMoment(at)}</td>
              <td>{status === null ? error : text.status(status)}</td>
              <td>{messages.evidence.ms(duration_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
