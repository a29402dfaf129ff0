// A row of the audit trail as people read it.

import type { AuditEntry } from '@mxproof/server/operate';
import { dateOf, plain } from '../shared/print.ts';

export const AUDIT_HEADING = ['when', 'account', 'what', 'to', 'by', 'from', 'changed'] as const;

export function auditRow(entry: AuditEntry): (string | number)[] {
  return [
    ...[dateOf(entry.atSeconds), entry.accountId ?? '-', entry.action, entry.subjectId ?? '-'],
    ...[whoOf(entry), plain(entry.client ?? '-'), whatOf(entry)],
  ];
}

function whoOf({ actor, actorId, actorName }: AuditEntry): string {
  const which = actorName === null ? actorId : plain(actorName);
  return which === null ? actor : `${actor} ${which}`;
}

/** Such as `credits: 50 → 75, note`: of text only that it changed. */
function whatOf({ facts: { changes = {}, changed = [] } }: AuditEntry): string {
  const values = Object.entries(changes).map(
    ([field, [before, after]]) => `${field}: ${before ?? '-'} → ${after ?? '-'}`,
  );
  return plain([...values, ...changed].join(', '));
}
