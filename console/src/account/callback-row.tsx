// One list's callback: where it goes, whether it arrived, each attempt when asked for, and sending it again.
import type { CallbackEntry } from '@mxproof/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { callbacks } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { useMay } from '../shell/own-session.ts';
import { accountProblem } from './account-problem.ts';
import { answerText, DeliveryState } from './delivery-state.tsx';

const text = callbacks;

type Attempt = NonNullable<CallbackEntry['last_attempt']>;

export function CallbackRow({ callback }: { readonly callback: CallbackEntry }) {
  const queries = useQueryClient();
  const may = useMay();
  const { list_id, list_name, url, state, attempt_count, last_attempt, next_attempt_at } = callback;
  const name = list_name === '' ? messages.lists.unnamed(list_id) : list_name;
  const isWaiting = state === 'pending' && next_attempt_at === null;
  const resend = useMutation({
    mutationFn: () => mx.lists.resendCallback(list_id),
    // Also after a refusal: it may have gone meanwhile, or be on its way.
    onSettled: () => queries.invalidateQueries({ queryKey: keys.callbacks }),
  });
  return (
    <li className="entry">
      <div>
        <p className="row">
          <Link to="/lists/$id" params={{ id: String(list_id) }} className="entry-name">
            {name}
          </Link>
          <DeliveryState state={state} />
        </p>
        <p className="mono small callback-url">{url}</p>
        {isWaiting && <p className="small soft">{text.untilDone}</p>}
        {next_attempt_at !== null && (
          <p className="small soft">{text.nextAttempt(formatMoment(next_attempt_at))}</p>
        )}
      </div>
      {may.change && !isWaiting && (
        <Button
          variant="quiet"
          aria-label={text.resend(name)}
          isPending={state === 'pending' || resend.isPending}
          onPress={() => resend.mutate()}
        >
          {text.resendShort}
        </Button>
      )}
      {(last_attempt !== null || resend.isError) && (
        <div className="entry-wide">
          {last_attempt !== null && <Attempts listId={list_id} count={attempt_count} last={last_attempt} />}
          {resend.isError && <ProblemNotice>{accountProblem(resend.error)}</ProblemNotice>}
        </div>
      )}
    </li>
  );
}

function Attempts({
  listId,
  count,
  last,
}: {
  readonly listId: number;
  readonly count: number;
  readonly last: Attempt;
}) {
  const [isOpen, setOpen] = useState(false);
  const callback = useQuery({
    // With a new attempt they are read anew.
    queryKey: [...keys.callback(listId), count, last.at],
    queryFn: ({ signal }) => mx.lists.callback(listId, { signal }),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  });
  return (
    <details className="more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="small">{text.attempts(count, answerText(last))}</summary>
      {callback.isError && <ProblemNotice>{accountProblem(callback.error)}</ProblemNotice>}
      {callback.data && <AttemptTable attempts={callback.data.attempts} />}
    </details>
  );
}

function AttemptTable({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <table className="table small">
      <thead>
        <tr>
          <th scope="col">{text.at}</th>
          <th scope="col">{text.answer}</th>
          <th scope="col">{text.took}</th>
        </tr>
      </thead>
      <tbody>
        {attempts.toReversed().map((attempt, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two attempts may be in the same second.
          <tr key={place}>
            <td>{formatMoment(attempt.at)}</td>
            <td>{answerText(attempt)}</td>
            <td>{messages.evidence.ms(attempt.duration_ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
