// What an account does: its latest lists, and who did what of late.
import type { AdminAuditPage, AdminListPage } from '@mxproof/client/admin';
import { Link } from '@tanstack/react-router';
import { account as text } from '../messages/en-operator-accounts.ts';
import { listColumns } from './list-columns.tsx';
import { useOperatorQuery } from './operator-api.ts';
import { ReadingState } from './page-head.tsx';
import { Records } from './records.tsx';
import { trailColumns } from './trail-columns.tsx';

const SHOWN_LISTS = 5;
const SHOWN_ENTRIES = 20;
const EVERY_MS = 10_000;

export function AccountLately({ accountId: account }: { readonly accountId: number }) {
  const lists = useOperatorQuery<AdminListPage>('/lists', {
    query: { account, limit: SHOWN_LISTS },
    everyMs: EVERY_MS,
  });
  const trail = useOperatorQuery<AdminAuditPage>('/audit', { query: { account, limit: SHOWN_ENTRIES } });
  return (
    <>
      <section className="stack account-wide" aria-labelledby="lists">
        <div className="row">
          <h2 id="lists">{text.lists}</h2>
          <Link className="push" to="/operator/lists" search={{ account }}>
            {text.allLists}
          </Link>
        </div>
        <ReadingState of={lists} />
        {lists.data?.lists.length === 0 && <p className="soft">{text.noLists}</p>}
        {lists.data && lists.data.lists.length > 0 && (
          <Records name={text.lists} columns={listColumns()} rows={lists.data.lists} keyOf={({ id }) => id} />
        )}
      </section>
      <section className="stack account-wide" aria-labelledby="trail">
        <div className="row">
          <h2 id="trail">{text.trail}</h2>
          <Link className="push" to="/operator/audit" search={{ account }}>
            {text.allTrail}
          </Link>
        </div>
        <ReadingState of={trail} />
        {trail.data?.entries.length === 0 && <p className="soft">{text.noTrail}</p>}
        {trail.data && trail.data.entries.length > 0 && (
          <Records
            name={text.trail}
            columns={trailColumns({ withAccount: false })}
            rows={trail.data.entries}
            keyOf={({ id }) => id}
          />
        )}
      </section>
    </>
  );
}
