// The account's callbacks, and the secret they are signed with.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { callbacks } from '../messages/en-account.ts';
import { keys, mx } from '../shell/api.ts';
import { useMay } from '../shell/own-session.ts';
import { problemText } from '../shell/problem.ts';
import { CallbackRow } from './callback-row.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

const text = callbacks;
const PAGE_CALLBACKS = 50;
const EXAMPLE = `POST ${location.origin}/v1/lists

{
  "emails": ["anna@example.com"],
  "callback_url": "https://example.com/mxproof"
}`;
/** While one is on its way. */
const REFRESH_MS = 5_000;

export function CallbacksPanel() {
  const may = useMay();
  return (
    <>
      <Callbacks />
      {may.manage && <WebhookSecret />}
    </>
  );
}

function Callbacks() {
  const pages = useInfiniteQuery({
    queryKey: keys.callbacks,
    queryFn: ({ pageParam, signal }) =>
      mx.callbacks.list({ offset: pageParam, limit: PAGE_CALLBACKS, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < PAGE_CALLBACKS ? undefined : all.length * PAGE_CALLBACKS),
    refetchInterval: (query) =>
      query.state.data?.pages.flat().some(({ state }) => state === 'pending') ? REFRESH_MS : false,
  });
  // A new list pushes the others onto the next page: one that comes again is shown once.
  const callbacks = [...new Map(pages.data?.pages.flat().map((one) => [one.list_id, one])).values()];
  return (
    <section className="card stack" aria-labelledby="callbacks-title">
      <h2 id="callbacks-title">{text.title}</h2>
      <p className="soft">{text.intro}</p>
      {pages.isError && <ProblemNotice>{problemText(pages.error)}</ProblemNotice>}
      {callbacks.length > 0 && (
        <ul className="entries">
          {callbacks.map((callback) => (
            <CallbackRow key={callback.list_id} callback={callback} />
          ))}
        </ul>
      )}
      {pages.isSuccess && callbacks.length === 0 && <NoCallbacks />}
      {pages.hasNextPage && (
        <Button isDisabled={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
          {text.more}
        </Button>
      )}
    </section>
  );
}

function NoCallbacks() {
  return (
    <div className="stack">
      <div>
        <h3>{text.none}</h3>
        <p className="soft">{text.noneHint}</p>
      </div>
      <pre className="code">
        <code>{EXAMPLE}</code>
      </pre>
    </div>
  );
}
