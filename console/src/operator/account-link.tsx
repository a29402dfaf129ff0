// The way to an account: by its name, and by its number where that is all that is known.
import { Link } from '@tanstack/react-router';
import { accounts as text } from '../messages/en-operator-accounts.ts';
import { admin, useAdmin } from './operator-api.ts';

/** Those opened last: names of older ones are not asked for, nor are there any of deleted ones. */
const NAMES = 500;

export function AccountLink({ id }: { readonly id: number }) {
  const names = useAdmin(
    ['names'],
    async (options) =>
      new Map(
        (await admin.accounts.list({ limit: NAMES, ...options })).map((account) => [
          account.id,
          account.name,
        ]),
      ),
  );
  const name = names.data?.get(id);
  return (
    <>
      <Link className="records-long" to="/operator/accounts/$id" params={{ id: String(id) }}>
        {name ?? id}
      </Link>
      {name !== undefined && <span className="small soft records-below">{text.numbered(id)}</span>}
    </>
  );
}
