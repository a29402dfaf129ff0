// Callbacks of the newest lists, and the secret they are signed with. The API tells the callback of one list at a time, so
// a bounded number of lists is looked through, and more on request.
import { type Callback, type ListSummary, Refusal } from '@mxproof/client';
import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { CallbackRow } from './callback-row.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

const text = messages.callbacks;
const PAGE_LISTS = 20;
const EXAMPLE = `POST ${location.origin}/v1/lists

{
  "emails": ["anna@example.com"],
  "callback_url": "https://example.com/mxproof"
}`;
/** While one is on its way. */
const REFRESH_MS = 5_000;

export function CallbacksPanel() {
  return (
    <>
      <Callbacks />
      <WebhookSecret />
    </>
  );
}

function Callbacks() {
  const pages = useInfiniteQuery({
    queryKey: keys.callbacks,
    queryFn: ({ pageParam, signal }) => mx.lists.list({ offset: pageParam, limit: PAGE_LISTS, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < PAGE_LISTS ? undefined : all.length * PAGE_LISTS),
  });
  const lists = [...new Map(pages.data?.pages.flat().map((list) => [list.id, list])).values()];
  const callbacks = useQueries({
    queries: lists.map((list) => ({
      queryKey: keys.callback(list.id),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => callbackOf(list.id, signal),
      refetchInterval: ({ state }: { readonly state: { readonly data: Callback | null | undefined } }) =>
        state.data?.state === 'pending' ? REFRESH_MS : false,
    })),
  });
  const problem = pages.error ?? callbacks.find(({ error }) => error)?.error;
  const found = lists.flatMap((list, at): { list: ListSummary; callback: Callback }[] => {
    const callback = callbacks[at]?.data;
    return callback ? [{ list, callback }] : [];
  });
  const isRead = pages.isSuccess && callbacks.every(({ isPending }) => !isPending);
  return (
    <section className="card stack" aria-labelledby="callbacks-title">
      <h2 id="callbacks-title">{text.title}</h2>
      <p className="soft">{text.intro}</p>
      {problem && <ProblemNotice>{problemText(problem)}</ProblemNotice>}
      {found.length > 0 && (
        <ul className="entries">
          {found.map(({ list, callback }) => (
            <CallbackRow key={list.id} list={list} callback={callback} />
          ))}
        </ul>
      )}
      {isRead && !problem && found.length === 0 && <NoCallbacks lists={lists.length} />}
      {pages.hasNextPage && (
        <Button isDisabled={!isRead || pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
          {text.more}
        </Button>
      )}
    </section>
  );
}

/** Null: the list has none. */
async function callbackOf(listId: number, signal: AbortSignal): Promise<Callback | null> {
  try {
    return await mx.lists.callback(listId, { signal });
  } catch (error) {
    if (error instanceof Refusal && (error.kind === 'no_callback' || error.kind === 'list_not_found'))
      return null;
    throw error;
  }
}

function NoCallbacks({ lists }: { readonly lists: number }) {
  return (
    <div className="stack">
      <div>
        <h3>{text.none}</h3>
        {lists > 0 && <p className="soft">{text.noneInNewest(lists)}</p>}
        <p className="soft">{text.noneHint}</p>
      </div>
      <pre className="code">
        <code>{EXAMPLE}</code>
      </pre>
    </div>
  );
}
