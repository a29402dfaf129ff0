// Who did what in the whole deployment: narrowed by account, action, actor and time, and downloaded.
import type { AdminAuditPage } from '@mxproof/client/admin';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from '../design/button.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { operatorTrail as text } from '../messages/en-operator-service.ts';
import { AccountFilter } from './account-filter.tsx';
import { Select, TypedFilter } from './filter-fields.tsx';
import { OperatorRefusal, useOperatorQuery } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';
import { PageHead, ReadingState } from './page-head.tsx';
import { Pager } from './pager.tsx';
import { Records } from './records.tsx';
import { saveTrail } from './save-trail.ts';
import type { AuditSearch } from './searches.ts';
import { trailColumns } from './trail-columns.tsx';

const PAGE_ENTRIES = 50;
const EVERY_MS = 30_000;
const COLUMNS = trailColumns({ withAccount: true });
const ACTIONS: Readonly<Record<string, string>> = {
  all: text.allActions,
  ...Object.fromEntries(Object.entries(text.actions).map(([action, [name]]) => [action, name])),
};
const ACTORS: Readonly<Record<string, string>> = text.actors;

export function TrailPage() {
  const search = useSearch({ from: '/operator/audit' });
  const { account, action, actor, since, page = 1 } = search;
  const navigate = useNavigate();
  const show = (changed: AuditSearch) =>
    void navigate({
      to: '/operator/audit',
      search: { ...search, page: undefined, ...changed },
      replace: true,
    });
  const filter = {
    account,
    action,
    actor,
    // From the beginning of that day on, as the reader's clock has it.
    since: since === undefined ? undefined : new Date(`${since}T00:00`).getTime() / 1_000,
  };
  const found = useOperatorQuery<AdminAuditPage>('/audit', {
    query: { ...filter, offset: (page - 1) * PAGE_ENTRIES, limit: PAGE_ENTRIES },
    everyMs: EVERY_MS,
  });
  const saving = useMutation({ mutationFn: () => saveTrail(filter) });
  const entries = found.data?.entries ?? [];
  return (
    <section className="stack operator-page">
      <PageHead title={text.title} intro={text.intro}>
        <div className="push">
          <Button isDisabled={saving.isPending} onPress={() => saving.mutate()}>
            {saving.isPending ? text.saving : text.save}
          </Button>
        </div>
      </PageHead>
      <div className="row operator-filters">
        <Select
          name={text.action}
          words={ACTIONS}
          value={action ?? 'all'}
          onChange={(word) => show({ action: word === 'all' ? undefined : word })}
        />
        <Select
          name={text.actor}
          words={ACTORS}
          value={actor ?? 'all'}
          onChange={(word) => show({ actor: word === 'all' ? undefined : word })}
        />
        <AccountFilter account={account} onChange={(account) => show({ account })} />
        <TypedFilter
          name={text.since}
          type="date"
          value={since ?? ''}
          onChange={(day) => show({ since: day || undefined })}
        />
      </div>
      {saving.isError && (
        <ProblemNotice>
          {saving.error instanceof OperatorRefusal ? operatorProblem(saving.error) : text.saveFailed}
        </ProblemNotice>
      )}
      {saving.data && (
        <Notice tone={saving.data.isCut ? 'warning' : 'good'}>
          {(saving.data.isCut ? text.cut : text.saved)(saving.data.entries)}
        </Notice>
      )}
      <ReadingState of={found} />
      {found.isSuccess && entries.length === 0 && <p className="soft">{text.none}</p>}
      {entries.length > 0 && (
        <Records
          name={text.title}
          columns={COLUMNS}
          rows={entries}
          keyOf={({ id }) => id}
          isStale={found.isPlaceholderData}
        />
      )}
      <Pager
        page={page}
        pages={null}
        hasMore={entries.length === PAGE_ENTRIES}
        onPage={(page) => show({ page })}
      />
    </section>
  );
}
