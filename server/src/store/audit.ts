// The audit trail. Promise: a row is written in the transaction of what it tells, and the database itself lets none be changed or
// removed; months leave whole (features/audit).
import type { Actor, AuditAction, AuditActorKind, AuditNote, AuditValue } from '../rules/audit.ts';
import type { Row, Tx } from './database.ts';

export async function writeAudit(tx: Tx, actor: Actor, note: AuditNote): Promise<void> {
  const { action, accountId, subjectId = null, changes = {}, changed = [] } = note;
  await tx.prepared('note-audit', 'SELECT mxproof.note_audit($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
    ...[accountId, action, actor.kind, actor.id, actor.name, actor.client, actor.requestId, subjectId],
    JSON.stringify({
      ...(Object.keys(changes).length > 0 && { changes }),
      ...(changed.length > 0 && { changed }),
    }),
  ]);
}

export interface AuditEntry {
  readonly id: number;
  readonly atSeconds: number;
  readonly accountId: number | null;
  readonly action: AuditAction;
  readonly actor: AuditActorKind;
  readonly actorId: number | null;
  readonly actorName: string | null;
  readonly client: string | null;
  readonly requestId: string | null;
  readonly subjectId: number | null;
  readonly facts: {
    readonly changes?: Readonly<Record<string, readonly [AuditValue, AuditValue]>>;
    readonly changed?: readonly string[];
  };
}

export interface AuditPage {
  /** Of this account and of its test side; null: of the whole deployment. */
  readonly accountId: number | null;
  readonly action: AuditAction | null;
  readonly actor: AuditActorKind | null;
  /** Of a member. */
  readonly member: number | null;
  /** Unix seconds. */
  readonly since: number | null;
  /** Only older ones than this id; null: from the newest on. */
  readonly before: number | null;
  readonly offset: number;
  readonly limit: number;
}

/** Newest first. */
export async function readAudit(tx: Tx, page: AuditPage): Promise<AuditEntry[]> {
  return tx.query<AuditEntry & Row>(
    `SELECT id, floor(extract(epoch FROM at))::bigint AS "atSeconds", account_id AS "accountId", action, actor,
       actor_id AS "actorId", actor_name AS "actorName", client, request_id AS "requestId", subject_id AS "subjectId", facts
     FROM mxproof.audit
     WHERE ($1::bigint IS NULL OR account_id IN (SELECT a.id FROM mxproof.accounts a WHERE a.id = $1 OR a.test_of = $1))
       AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR actor = $3)
       AND ($4::bigint IS NULL OR (actor = 'member' AND actor_id = $4))
       AND ($5::bigint IS NULL OR at >= to_timestamp($5)) AND ($6::bigint IS NULL OR id < $6)
     ORDER BY id DESC OFFSET $7 LIMIT $8`,
    [page.accountId, page.action, page.actor, page.member, page.since, page.before, page.offset, page.limit],
  );
}
