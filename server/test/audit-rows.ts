// Rows of the audit trail as they are stored, for tests.
import type { Row, Tx } from '../src/store/database.ts';

export interface AuditRow {
  readonly account_id: number | null;
  readonly action: string;
  readonly actor: string;
  readonly actor_id: number | null;
  readonly actor_name: string | null;
  readonly client: string | null;
  readonly request_id: string | null;
  readonly subject_id: number | null;
  readonly facts: object;
}

/** Oldest first. */
export function auditRowsIn(tx: Tx): Promise<AuditRow[]> {
  return tx.query<AuditRow & Row>(
    `SELECT account_id, action, actor, actor_id, actor_name, client, request_id, subject_id, facts
     FROM mxproof.audit ORDER BY id`,
  );
}

/** Those that `work` has written. */
export async function writtenBy<T>(tx: Tx, work: () => Promise<T>): Promise<{ rows: AuditRow[]; done: T }> {
  const { length } = await auditRowsIn(tx);
  const done = await work();
  return { rows: (await auditRowsIn(tx)).slice(length), done };
}
