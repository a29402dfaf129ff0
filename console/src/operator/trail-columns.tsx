// Entries of the deployment's trail as rows of a table.
import type { AdminAuditEntry } from '@mxproof/client/admin';
import { forAccount, type Reader, sentenceOf } from '../audit/audit-words.ts';
import { ChangeList } from '../audit/change-list.tsx';
import { formatMoment } from '../design/format.ts';
import { operatorTrail as text } from '../messages/en-operator-service.ts';
import { AccountLink } from './account-link.tsx';
import type { Column } from './records.tsx';

const account = forAccount(() => undefined);

const forOperator: Reader = {
  actions: text.actions,
  subjects: text.subjects,
  who(actor) {
    switch (actor.kind) {
      case 'admin_key':
        return text.who.adminKey(actor.id);
      case 'operator':
        return text.who.operator(actor.id);
      case 'command':
        return text.who.command(actor.name);
      default:
        return account.who(actor);
    }
  },
};

/** `of`: all; unset: one account's. */
export function trailColumns(of?: 'deployment'): Column<AdminAuditEntry>[] {
  const ofAccount: Column<AdminAuditEntry> = {
    name: text.account,
    cell: ({ account_id: id }) => (id === null ? text.noAccount : <AccountLink id={id} />),
  };
  return [
    {
      name: text.what,
      cell: (entry) => (
        <>
          {sentenceOf(entry, forOperator)}
          <ChangeList entry={entry} />
        </>
      ),
    },
    {
      name: text.at,
      isShort: true,
      cell: ({ at }) => <span className="small soft">{formatMoment(at)}</span>,
    },
    ...(of ? [ofAccount] : []),
    {
      name: text.from,
      isShort: true,
      cell: ({ client, request_id }) => (
        <>
          <span className="small">{client}</span>
          {request_id !== null && <span className="small soft mono records-below">{request_id}</span>}
        </>
      ),
    },
  ];
}
