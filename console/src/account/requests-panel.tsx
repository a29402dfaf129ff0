// What programs have changed and were refused: one request found by its id, or the latest ones, by their status.
import './requests-panel.css';
import type { LoggedRequest } from '@mxproof/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { apiKeys, requests } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { accountProblem, mayNotManage } from './account-problem.ts';
import { keyNameOf } from './key-name.ts';

const text = requests;
const PAGE_REQUESTS = 50;
/** Those that are asked about most. */
const STATUSES = [400, 402, 403, 404, 409, 422, 429, 500, 503];

export function RequestsPanel() {
  const [id, setId] = useState('');
  const [status, setStatus] = useState<number | null>(null);
  const pages = useInfiniteQuery({
    queryKey: keys.requests(id, status),
    queryFn: ({ pageParam, signal }) =>
      mx.requests.list({
        id: id === '' ? undefined : id,
        status: status ?? undefined,
        offset: pageParam,
        limit: PAGE_REQUESTS,
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < PAGE_REQUESTS ? undefined : all.length * PAGE_REQUESTS),
  });
  const labels = useKeyLabels(pages.isSuccess);
  // A new request pushes the others onto the next page: one that comes again is shown once.
  const requests = [...new Map(pages.data?.pages.flat().map((one) => [one.id, one])).values()];
  return (
    <section className="card stack" aria-labelledby="requests-title">
      <h2 id="requests-title">{text.title}</h2>
      <p className="soft">{text.intro}</p>
      {pages.isError && mayNotManage(pages.error) ? (
        <Notice>{apiKeys.mayNotManage}</Notice>
      ) : (
        <div className="row requests-filters">
          <IdField onFind={(next) => (next === id ? void pages.refetch() : setId(next))} />
          <select
            className="input"
            aria-label={text.status}
            value={status ?? ''}
            onChange={({ target }) => setStatus(target.value === '' ? null : Number(target.value))}
          >
            <option value="">{text.all}</option>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </div>
      )}
      {pages.isError && !mayNotManage(pages.error) && (
        <ProblemNotice>{accountProblem(pages.error)}</ProblemNotice>
      )}
      {pages.isSuccess && requests.length === 0 && (
        <p className="soft">{id === '' && status === null ? text.none : text.noneFound}</p>
      )}
      {requests.length > 0 && <RequestTable requests={requests} labels={labels} />}
      {pages.hasNextPage && (
        <Button isDisabled={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
          {text.more}
        </Button>
      )}
    </section>
  );
}

function IdField({ onFind }: { readonly onFind: (id: string) => void }) {
  const [typed, setTyped] = useState('');
  return (
    <form
      className="row requests-id"
      onSubmit={(event) => {
        event.preventDefault();
        onFind(typed.trim());
      }}
    >
      <input
        className="input mono"
        aria-label={text.id}
        placeholder={text.id}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value.trim() === '') onFind('');
        }}
      />
      <Button type="submit">{text.find}</Button>
    </form>
  );
}

/** By id; a key that is deleted has none. */
function useKeyLabels(isWanted: boolean): ReadonlyMap<number, string> {
  const { data } = useQuery({
    queryKey: keys.apiKeys,
    queryFn: ({ signal }) => mx.account.keys.list({ signal }),
    enabled: isWanted,
  });
  return new Map(data?.map((key) => [key.id, keyNameOf(key)]));
}

function RequestTable({
  requests,
  labels,
}: {
  readonly requests: readonly LoggedRequest[];
  readonly labels: ReadonlyMap<number, string>;
}) {
  const keyName = (id: number | null) =>
    id === null ? text.signedIn : (labels.get(id) ?? apiKeys.keyNumber(id));
  return (
    <table className="table requests">
      <thead>
        <tr>
          <th scope="col">{text.what}</th>
          <th scope="col">{text.at}</th>
          <th scope="col">{text.answer}</th>
        </tr>
      </thead>
      <tbody>
        {requests.map(({ id, at, method, route, status, error, duration_ms, key_id, client }) => (
          <tr key={id}>
            <td>
              <span className="requests-route">
                {method} {route ?? text.noRoute}
              </span>
              <span className="small soft mono">{id}</span>
              <span className="small soft">{[keyName(key_id), client].filter(Boolean).join(' · ')}</span>
            </td>
            <td className="small soft">{formatMoment(at)}</td>
            <td>
              <span data-refused={status >= 400 || undefined}>{status}</span>{' '}
              <span className="small soft">{messages.evidence.ms(duration_ms)}</span>
              {error !== null && <span className="small mono requests-error">{error}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
