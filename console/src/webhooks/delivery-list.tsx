// What was sent to one endpoint, newest first: whether it arrived, each attempt with the answer, and sending it again.
import type { WebhookDelivery } from '@mxproof/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountProblem } from '../account/account-problem.ts';
import { answerText, DeliveryState } from '../account/delivery-state.tsx';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { callbacks } from '../messages/en-account.ts';
import { deliveries as text, webhooks } from '../messages/en-webhooks.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';

const PAGE_DELIVERIES = 20;
/** While one is on its way. */
const REFRESH_MS = 5_000;

export function DeliveryList({ webhookId }: { readonly webhookId: number }) {
  const pages = useInfiniteQuery({
    queryKey: keys.deliveries(webhookId),
    queryFn: ({ pageParam, signal }) =>
      mx.webhooks.deliveries(webhookId, { offset: pageParam, limit: PAGE_DELIVERIES, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, all) =>
      last.length < PAGE_DELIVERIES ? undefined : all.length * PAGE_DELIVERIES,
    refetchInterval: (query) =>
      query.state.data?.pages.flat().some(({ state }) => state === 'pending') ? REFRESH_MS : false,
  });
  // A new event pushes the others onto the next page: one that comes again is shown once.
  const deliveries = [...new Map(pages.data?.pages.flat().map((one) => [one.id, one])).values()];
  return (
    <div className="stack">
      {pages.isError && <ProblemNotice>{accountProblem(pages.error)}</ProblemNotice>}
      {pages.isSuccess && deliveries.length === 0 && <p className="small soft">{text.none}</p>}
      {deliveries.length > 0 && (
        <ul className="entries">
          {deliveries.map((delivery) => (
            <Delivery key={delivery.id} webhookId={webhookId} delivery={delivery} />
          ))}
        </ul>
      )}
      {pages.hasNextPage && (
        <Button isDisabled={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
          {text.more}
        </Button>
      )}
    </div>
  );
}

function Delivery({
  webhookId,
  delivery,
}: {
  readonly webhookId: number;
  readonly delivery: WebhookDelivery;
}) {
  const queries = useQueryClient();
  const { id, event, list_id, state, created_at, next_attempt_at, attempts } = delivery;
  const resend = useMutation({
    mutationFn: () => mx.webhooks.resend(webhookId, id),
    // Also after a refusal: it may have gone meanwhile, or be on its way.
    onSettled: () => queries.invalidateQueries({ queryKey: keys.webhooks }),
  });
  const name = webhooks.events[event] ?? event;
  const last = attempts.at(-1);
  return (
    <li className="entry">
      <div>
        <p className="row">
          <span className="entry-name">{name}</span>
          <DeliveryState state={state} />
        </p>
        <p className="small soft">
          <span className="fact">{formatMoment(created_at)}</span>{' '}
          {list_id !== null && (
            <Link className="fact" to="/lists/$id" params={{ id: String(list_id) }}>
              {text.list(list_id)}
            </Link>
          )}
        </p>
        {next_attempt_at !== null && last !== undefined && (
          <p className="small soft">{text.nextAttempt(formatMoment(next_attempt_at))}</p>
        )}
      </div>
      {state !== 'pending' && (
        <Button
          variant="quiet"
          aria-label={text.resend(name, formatMoment(created_at))}
          isPending={resend.isPending}
          onPress={() => resend.mutate()}
        >
          {callbacks.resendShort}
        </Button>
      )}
      <div className="entry-wide">
        {last === undefined ? (
          <p className="small soft">{text.noAttempt}</p>
        ) : (
          <details className="more">
            <summary className="small">{text.attempts(attempts.length, answerText(last))}</summary>
            <Attempts attempts={attempts} />
          </details>
        )}
        {resend.isError && <ProblemNotice>{accountProblem(resend.error)}</ProblemNotice>}
      </div>
    </li>
  );
}

function Attempts({ attempts }: Pick<WebhookDelivery, 'attempts'>) {
  return (
    <ol className="attempts" reversed>
      {attempts.toReversed().map((attempt, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two attempts may be in the same second.
        <li key={place} className="small">
          <p>
            {formatMoment(attempt.at)} · {answerText(attempt)} · {messages.evidence.ms(attempt.duration_ms)}
          </p>
          {attempt.answer !== null && attempt.answer !== '' && (
            <pre className="code">
              <code>{attempt.answer}</code>
            </pre>
          )}
        </li>
      ))}
    </ol>
  );
}
