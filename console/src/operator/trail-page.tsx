// Who did what in the whole deployment: narrowed by account, action, actor and time, and downloaded.
import type { GetAuditTrailQuery } from '@mxproof/client/admin';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../design/button.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { operatorTrail as text } from '../messages/en-operator-service.ts';
import { AccountFilter, Select, TypedFilter } from './filter-fields.tsx';
import { pageOf, useFilters } from './filters.ts';
import { admin, useAdmin } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';
import { FoundRecords, PageHead, Pager } from './page-parts.tsx';
import { trailColumns } from './trail-columns.tsx';
import { trailFile } from './trail-file.ts';

const EVERY_MS = 30_000;
const ALL = 'all';
const COLUMNS = trailColumns('deployment');
const ACTIONS: Readonly<Record<string, string>> = {
  [ALL]: text.allActions,
  ...Object.fromEntries(Object.entries(text.actions).map(([action, [name]]) => [action, name])),
};

export function TrailPage() {
  const [filters, show] = useFilters();
  const { account, action = ALL, actor = ALL, since } = filters;
  const query = {
    account,
    action: action === ALL ? undefined : action,
    actor: actor === ALL ? undefined : actor,
    since: startOf(since),
  } as GetAuditTrailQuery;
  const page = { ...query, ...pageOf(filters) };
  const found = useAdmin(['trail', page], (options) => admin.audit({ ...page, ...options }), EVERY_MS);
  const saving = useMutation({
    async mutationFn() {
      const saved = await trailFile(admin.exportAudit(query));
      const { saveFile } = await import('../list/save-rows.ts');
      saveFile(saved.file, 'audit.ndjson');
      return saved;
    },
  });
  return (
    <section className="stack operator-page">
      <PageHead title={text.title} intro={text.intro}>
        <Button isDisabled={saving.isPending} onPress={() => saving.mutate()}>
          {saving.isPending ? text.saving : text.save}
        </Button>
      </PageHead>
      <div className="row operator-filters">
        <Select name={text.action} words={ACTIONS} value={action} onChange={(action) => show({ action })} />
        <Select name={text.actor} words={text.actors} value={actor} onChange={(actor) => show({ actor })} />
        <AccountFilter account={account} onShow={show} />
        <TypedFilter
          name={text.since}
          type="date"
          value={since ?? ''}
          onChange={(since) => show({ since })}
        />
      </div>
      {saving.error && <ProblemNotice>{operatorProblem(saving.error)}</ProblemNotice>}
      {saving.data && (
        <Notice tone={saving.data.isCut ? 'warning' : 'good'}>
          {(saving.data.isCut ? text.cut : text.saved)(saving.data.entries)}
        </Notice>
      )}
      <FoundRecords
        of={found}
        name={text.title}
        columns={COLUMNS}
        rows={found.data}
        keyOf={({ id }) => id}
        none={text.none}
      />
      <Pager filters={filters} rows={found.data?.length} onShow={show} />
    </section>
  );
}

/** Of a day as the reader's clock has it; undefined: none. */
function startOf(day: string | undefined): number | undefined {
  const ms = new Date(`${day}T00:00`).getTime();
  return Number.isNaN(ms) ? undefined : ms / 1_000;
}
