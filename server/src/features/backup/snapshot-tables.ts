// Which tables a backup holds, and in which order they can be loaded. Read from the database's own catalog, so that a new
// table is never forgotten. Promise: a table comes after those that it refers to; what PostgreSQL itself may lose in a
// crash (unlogged tables) is left out.
import type { Row } from '../../store/database.ts';

/** Both a client of its own and a transaction have it. */
export type RunQuery = <R extends Row>(text: string) => Promise<R[]>;

export interface SnapshotTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Which migrations were applied is in the header; which machines write backups, and with which settings they start, a restored
 * store's nodes say; the request log is gone in a week, what was answered to operators in a day, and which lists were read out is
 * known by the hour.
 */
const LEFT_OUT = [
  'migrations',
  'nightly_backups',
  'requests',
  'admin_answers',
  'audited_exports',
  'started_settings',
];
/** A session that was ended since, or a link that was used, would be valid again. Backups up to 0.3 have some of them. */
export const SIGN_INS = [
  ...['sessions', 'sign_in_links', 'operator_sessions', 'operator_links'],
  ...['invitations', 'mailed_links', 'link_mails', 'openid_flows'],
];

export async function snapshotTables(
  query: RunQuery,
  leftOut: readonly string[] = [],
): Promise<SnapshotTable[]> {
  const tables = await query<{ name: string; columns: string[]; needs: string[] }>(
    `SELECT c.relname::text AS name,
       (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
       ARRAY(SELECT DISTINCT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
             WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS needs
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'mxproof' AND c.relkind = 'r' AND c.relpersistence = 'p' ORDER BY c.relname`,
  );
  const left = new Map(
    tables.filter(({ name }) => ![...LEFT_OUT, ...leftOut].includes(name)).map((each) => [each.name, each]),
  );
  const ordered: SnapshotTable[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(({ needs }) => !needs.some((name) => left.has(name)));
    if (free.length === 0)
      throw new Error(`tables refer to each other in a circle: ${[...left.keys()].join(', ')}`);
    for (const { name, columns } of free) {
      ordered.push({ name, columns });
      left.delete(name);
    }
  }
  return ordered;
}

export interface SequenceValue {
  readonly name: string;
  readonly last: number;
}

/** Those that have given out a number. Read last: no row of the snapshot has one that its sequence has not given out. */
export async function sequenceValues(query: RunQuery): Promise<SequenceValue[]> {
  return query<Row & SequenceValue>(
    `SELECT sequencename::text AS name, last_value AS last FROM pg_sequences
     WHERE schemaname = 'mxproof' AND last_value IS NOT NULL ORDER BY 1`,
  );
}

/** A name of the catalog in a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
