// Who did what in this account, newest first: one sentence each, with what changed.
import './requests-panel.css';
import type { GetAuditQuery } from '@mxproof/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { forAccount, sentenceOf } from '../audit/audit-words.ts';
import { ChangeList } from '../audit/change-list.tsx';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { apiKeys } from '../messages/en-account.ts';
import { auditWords, trail as text } from '../messages/en-audit.ts';
import { membersQuery, useMayManageMembers } from '../people/members-query.ts';
import { keys, mx } from '../shell/api.ts';
import { accountProblem, mayNotManage } from './account-problem.ts';

type Action = NonNullable<GetAuditQuery['action']>;

const PAGE_ENTRIES = 50;
const ACTIONS = Object.entries(auditWords.actions).map(([action, [name]]) => [action, name] as const);

export function AuditPanel() {
  const [action, setAction] = useState<Action | 'all'>('all');
  const pages = useInfiniteQuery({
    queryKey: ['trail', action],
    queryFn: ({ pageParam, signal }) =>
      mx.audit.list({
        offset: pageParam,
        limit: PAGE_ENTRIES,
        ...(action !== 'all' && { action }),
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < PAGE_ENTRIES ? undefined : all.length * PAGE_ENTRIES),
    placeholderData: (before) => before,
  });
  const reader = forAccount(useKeyLabels(pages.isSuccess), useMemberEmails());
  // A new entry pushes the others onto the next page: one that comes again is shown once.
  const entries = [...new Map(pages.data?.pages.flat().map((entry) => [entry.id, entry])).values()];
  return (
    <section className="card stack" aria-labelledby="audit-title">
      <h2 id="audit-title">{text.title}</h2>
      <p className="soft">{text.intro}</p>
      {pages.isError &&
        (mayNotManage(pages.error) ? (
          <Notice>{apiKeys.mayNotManage}</Notice>
        ) : (
          <ProblemNotice>{accountProblem(pages.error)}</ProblemNotice>
        ))}
      {pages.isSuccess && (
        <div className="row requests-filters">
          <select
            className="input"
            aria-label={text.filter}
            value={action}
            onChange={({ target }) => setAction(target.value as Action | 'all')}
          >
            <option value="all">{text.all}</option>
            {ACTIONS.map(([each, name]) => (
              <option key={each} value={each}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      {pages.isSuccess && entries.length === 0 && (
        <p className="soft">{action === 'all' ? text.none : text.noneOfKind}</p>
      )}
      {entries.length > 0 && (
        <ol className="entries">
          {entries.map((entry) => (
            <li key={entry.id} className="entry entry-done">
              <p className="entry-name">{sentenceOf(entry, reader)}</p>
              <ChangeList entry={entry} />
              <p className="small soft">
                {formatMoment(entry.at)}
                {entry.client !== null && `, ${text.from(entry.client)}`}
              </p>
            </li>
          ))}
        </ol>
      )}
      {pages.hasNextPage && (
        <Button isDisabled={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
          {text.more}
        </Button>
      )}
    </section>
  );
}

/** Of those who are still members, where they may be read. */
function useMemberEmails(): (id: number) => string | undefined {
  const { data } = useQuery({ ...membersQuery, enabled: useMayManageMembers() });
  const emails = new Map(data?.map(({ id, email }) => [id, email]));
  return (id) => emails.get(id) ?? undefined;
}

/** Of keys that still exist; those without a label have none. */
function useKeyLabels(isWanted: boolean): (id: number) => string | undefined {
  const { data } = useQuery({
    queryKey: keys.apiKeys,
    queryFn: ({ signal }) => mx.account.keys.list({ signal }),
    enabled: isWanted,
  });
  const labels = new Map(data?.map(({ id, label }) => [id, label]));
  return (id) => labels.get(id) || undefined;
}
