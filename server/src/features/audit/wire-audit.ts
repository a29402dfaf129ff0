// A row of the audit trail as interfaces write it.
import { AUDIT_ACTIONS, type AuditActorKind, type AuditValue, OPERATORS } from '../../rules/audit.ts';
import type { AuditEntry } from '../../store/audit.ts';
import type { WireAuditEntry } from './schemas.ts';

/** An account is told that the operator acted, and neither which program or person that was nor from where. */
export function wireAudit(
  entry: AuditEntry,
  { forOperator }: { readonly forOperator: boolean },
): WireAuditEntry {
  const isHidden = !forOperator && OPERATORS.includes(entry.actor);
  const kind: AuditActorKind = isHidden ? 'operator' : entry.actor;
  // A word of a later version has none here.
  const subject = AUDIT_ACTIONS[entry.action] ?? null;
  const { changes = {}, changed = [] } = entry.facts;
  return {
    id: entry.id,
    at: entry.atSeconds,
    action: entry.action,
    actor: isHidden ? { kind, id: null, name: null } : { kind, id: entry.actorId, name: entry.actorName },
    client: isHidden ? null : entry.client,
    request_id: isHidden ? null : entry.requestId,
    account_id: entry.accountId,
    subject: subject === null || entry.subjectId === null ? null : { kind: subject, id: entry.subjectId },
    changes: Object.fromEntries(
      Object.entries<readonly [AuditValue, AuditValue]>(changes).map(([field, [before, after]]) => [
        field,
        { before, after },
      ]),
    ),
    changed: [...changed],
  };
}
