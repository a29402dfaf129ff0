// What `reapply` does to the tables.
import type { Database, Row, Tx } from '../../store/database.ts';
import { quoted, SIGN_INS } from './snapshot-tables.ts';

/** Of a connection of its own, for as long as it takes. */
export async function longTransaction<T>(
  db: Pick<Database, 'connectAlone'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await db.connectAlone();
  try {
    const query = async <R extends Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query<R>(text, values as unknown[])).rows;
    await query('BEGIN');
    await query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const done = await work({ query, prepared: (_name, text, values) => query(text, values) });
    await query('COMMIT');
    return done;
  } finally {
    // Without its COMMIT nothing of it was done.
    await client.end().catch(() => {});
  }
}

export async function endAllSignIns(tx: Tx): Promise<void> {
  for (const name of SIGN_INS) await tx.query(`DELETE FROM mxproof.${quoted(name)}`);
}
