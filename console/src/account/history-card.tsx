// Every change of the balance, newest first, each with its list or its single check.
import './history-card.css';
import type { Entry } from '@mxproof/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Choice } from '../design/choice.tsx';
import { formatChange, formatCount, formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { saveCsv } from '../design/save-csv.ts';
import { history } from '../messages/en-account.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { useAccount } from '../shell/session.ts';
import { historyTable, kindTextOf, listNameOf, noteOf, readHistory } from './history-table.ts';

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
  const saving = useMutation({
    mutationFn: async () =>
      saveCsv(text.fileName, historyTable(await readHistory(kind === 'all' ? undefined : kind))),
  });
  // A new entry pushes the others onto the next page: one that comes again is shown once.
  const entries = [...new Map(history.data?.pages.flat().map((entry) => [entry.id, entry])).values()];
  return (
    <section className="card stack" aria-labelledby="history">
      <div className="row">
        <h2 id="history">{text.title}</h2>
        <div className="row push">
          <Choice title={text.filter} options={KINDS} value={kind} onChange={setKind} />
          {entries.length > 0 && (
            <Button isDisabled={saving.isPending} onPress={() => saving.mutate()}>
              {saving.isPending ? text.saving : text.save}
            </Button>
          )}
        </div>
      </div>
      {saving.isError && <ProblemNotice>{problemText(saving.error)}</ProblemNotice>}
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
                <td className={entry.credits > 0 ? 'history-more' : undefined}>
                  {formatChange(entry.credits)}
                </td>
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

function What({ entry }: { readonly entry: Entry }) {
  const note = noteOf(entry);
  return (
    <>
      <span className="history-kind">{kindTextOf(entry)}</span> <Way entry={entry} />
      {note !== '' && <span className="history-note small soft">{note}</span>}
    </>
  );
}

function Way({ entry }: { readonly entry: Entry }) {
  const { list_id, list_name, single } = entry;
  const name = listNameOf(entry);
  if (list_id === null) return null;
  if (single)
    return (
      <Link to="/" search={{ check: list_id }}>
        {name}
      </Link>
    );
  if (list_name === null) return <span className="soft">{name}</span>;
  return (
    <Link to="/lists/$id" params={{ id: String(list_id) }}>
      {name}
    </Link>
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
