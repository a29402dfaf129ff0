// What an account does: its latest lists, and who did what of late.
import { Link } from '@tanstack/react-router';
import { account as text } from '../messages/en-operator-accounts.ts';
import { listColumns } from './list-columns.tsx';
import { admin, useAdmin } from './operator-api.ts';
import { FoundRecords } from './page-parts.tsx';
import { trailColumns } from './trail-columns.tsx';

const SHOWN_LISTS = 5;
const SHOWN_ENTRIES = 20;
const EVERY_MS = 10_000;
const idOf = ({ id }: { readonly id: number }) => id;

export function AccountLately({ account }: { readonly account: number }) {
  const lists = useAdmin(
    ['lists', 'of', account],
    (options) => admin.lists.list({ account, limit: SHOWN_LISTS, ...options }),
    EVERY_MS,
  );
  const trail = useAdmin(['trail', 'of', account], (options) =>
    admin.audit({ account, limit: SHOWN_ENTRIES, ...options }),
  );
  return (
    <>
      <section className="stack account-wide" aria-labelledby="lists">
        <div className="row">
          <h2 id="lists">{text.lists}</h2>
          <Link className="push" to="/operator/lists" search={{ account }}>
            {text.allLists}
          </Link>
        </div>
        <FoundRecords
          of={lists}
          name={text.lists}
          columns={listColumns()}
          rows={lists.data}
          keyOf={idOf}
          none={text.noLists}
        />
      </section>
      <section className="stack account-wide" aria-labelledby="trail">
        <div className="row">
          <h2 id="trail">{text.trail}</h2>
          <Link className="push" to="/operator/audit" search={{ account }}>
            {text.allTrail}
          </Link>
        </div>
        <FoundRecords
          of={trail}
          name={text.trail}
          columns={trailColumns()}
          rows={trail.data}
          keyOf={idOf}
          none={text.noTrail}
        />
      </section>
    </>
  );
}
