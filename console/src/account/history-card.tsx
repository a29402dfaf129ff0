// Every change of the balance, newest first, each with its list or its single check.
import './history-card.css';
import type { Entry } from '@mxproof/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Choice } from '../design/choice.tsx';
import { formatChange, formatCount, formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { history } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { useAccount } from '../shell/session.ts';

const text = history;
const PAGE_ENTRIES = 20;
const KINDS = (['all', 'grant', 'charge', 'refund'] as const).map(
  (kind) => [kind, text.kinds[kind]] as const,
);

export function HistoryCard() {
  const [kind, setKind] = useState<Entry['kind'] | 'all'>('all');
  const history = useInfiniteQuery({
    queryKey: keys.history(kind),
    queryFn: ({ pageParam, signal }) =>
      mx.account.history({
        offset: pageParam,
        limit: PAGE_ENTRIES,
        kind: kind === 'all' ? undefined : kind,
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE_ENTRIES ? undefined : pages.length * PAGE_ENTRIES),
  });
  useReadAgainWithBalance();
  // A new entry pushes the others onto the next page: one that comes again is shown once.
  const entries = [...new Map(history.data?.pages.flat().map((entry) => [entry.id, entry])).values()];
  return (
    <section className="card stack" aria-labelledby="history">
      <div className="row">
        <h2 id="history">{text.title}</h2>
        <div className="push">
          <Choice title={text.filter} options={KINDS} value={kind} onChange={setKind} />
        </div>
      </div>
      {history.isError && <ProblemNotice>{problemText(history.error)}</ProblemNotice>}
      {history.isSuccess && entries.length === 0 && (
        <p className="soft">{kind === 'all' ? text.none : text.noneOfKind}</p>
      )}
      {entries.length > 0 && (
        <table className="table history">
          <thead>
            <tr>
              <th scope="col">{text.what}</th>
              <th scope="col">{text.at}</th>
              <th scope="col">{text.credits}</th>
              <th scope="col">{text.balance}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td>
                  <What entry={entry} />
                </td>
                <td className="small soft">{formatMoment(entry.at)}</td>
                <td data-kind={entry.kind}>{formatChange(entry.credits)}</td>
                <td>{formatCount(entry.balance)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {history.hasNextPage && (
        <Button isDisabled={history.isFetchingNextPage} onPress={() => void history.fetchNextPage()}>
          {text.more}
        </Button>
      )}
    </section>
  );
}

function What({ entry: { kind, list_id, list_name, single, note } }: { readonly entry: Entry }) {
  if (single && list_id !== null)
    return (
      <>
        <span className="history-kind">{text.kinds[kind]}</span>{' '}
        <Link to="/" search={{ check: list_id }}>
          {text.singleCheck}
        </Link>
        {kind === 'refund' && <span className="history-note small soft">{text.noResult}</span>}
      </>
    );
  return (
    <>
      <span className="history-kind">{text.kinds[kind]}</span>{' '}
      {list_id !== null &&
        (list_name === null ? (
          <span className="soft">{text.deletedList(list_id)}</span>
        ) : (
          <Link to="/lists/$id" params={{ id: String(list_id) }}>
            {list_name === '' ? messages.lists.unnamed(list_id) : list_name}
          </Link>
        ))}
      {note !== '' && <span className="history-note small soft">{note}</span>}
    </>
  );
}

/** The balance is live: what changed it is not shown later. */
function useReadAgainWithBalance(): void {
  const queries = useQueryClient();
  const credits = useAccount().data?.credits;
  const shown = useRef(credits);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== credits)
      void queries.invalidateQueries({ queryKey: keys.histories });
    shown.current = credits;
  }, [credits, queries]);
}
