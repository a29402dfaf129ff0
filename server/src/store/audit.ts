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

/** Before its first line leaves. In the deployment's trail, also where it is of one account, which is told of no such thing. */
export function noteAuditExport(tx: Tx, actor: Actor, account: number | null): Promise<void> {
  return writeAudit(tx, actor, {
    ...{ action: 'audit.exported', accountId: null },
    ...(account !== null && { changes: { account: [null, account] } }),
  });
}

export interface AuditEntry {
  readonly id: number;
  readonly atSeconds: number;
  /** Of what happened on its test side, the account's as well. */
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
  /** Of the account without its other side. */
  readonly isOneMode?: boolean;
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

/** Of the year 9999: PostgreSQL knows no time far beyond. */
const LAST_SECOND = 253_402_300_799;

/** Newest first. */
export async function readAudit(tx: Tx, page: AuditPage): Promise<AuditEntry[]> {
  const values: unknown[] = [];
  // Only what is asked for is in the statement, so that a month's index serves it.
  const given = (value: unknown) => `$${values.push(value)}`;
  const where = <Value>(value: Value | null, condition: (placeholder: string) => string) =>
    value === null ? [] : [condition(given(value))];
  const conditions = [
    ...where(page.action, (action) => `action = ${action}`),
    ...where(page.actor, (actor) => `actor = ${actor}`),
    ...where(page.member, (id) => `actor = 'member' AND actor_id = ${id}`),
    ...where(page.since, (since) => `at >= to_timestamp(least(${since}::bigint, ${LAST_SECOND}))`),
    ...where(page.before, (id) => `id < ${id}`),
  ];
  const [offset, limit] = [given(page.offset), given(page.limit)];
  const newest = (side: string) =>
    `SELECT * FROM mxproof.audit WHERE ${[side, ...conditions].join(' AND ')} ORDER BY id DESC`;
  const sides = where(page.accountId, (id) => id).flatMap((id) => [
    `account_id = ${id}::bigint`,
    ...(page.isOneMode
      ? []
      : [`account_id = (SELECT a.id FROM mxproof.accounts a WHERE a.test_of = ${id}::bigint)`]),
  ]);
  // Of two sides each by itself: the index has the rows of one account in order, and those of two in none.
  const rows =
    sides.length < 2
      ? newest(sides[0] ?? 'true')
      : `${sides.map((side) => `(${newest(side)} LIMIT ${offset}::bigint + ${limit}::bigint)`).join(' UNION ALL ')} ORDER BY id DESC`;
  // The account is looked up for the rows of the page, and not for those before it.
  return tx.query<AuditEntry & Row>(
    `SELECT id, floor(extract(epoch FROM at))::bigint AS "atSeconds",
       coalesce((SELECT a.test_of FROM mxproof.accounts a WHERE a.id = page.account_id), account_id) AS "accountId", action, actor,
       actor_id AS "actorId", actor_name AS "actorName", client, request_id AS "requestId", subject_id AS "subjectId", facts
     FROM (${rows} OFFSET ${offset}::bigint LIMIT ${limit}::bigint) AS page ORDER BY id DESC`,
    values,
  );
}
