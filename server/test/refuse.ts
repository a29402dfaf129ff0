// A row that the database refuses to change or to delete, as a damaged page of its disk would make it. For tests.
import type { Database } from '../src/store/database.ts';

export async function refuse(
  db: Database,
  operation: 'UPDATE' | 'DELETE',
  table: string,
  id: string,
  value: number | string,
): Promise<void> {
  await db.query(`CREATE FUNCTION mxproof.refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'damaged'; END $$`);
  await db.query(`CREATE TRIGGER refuse BEFORE ${operation} ON mxproof.${table} FOR EACH ROW
    WHEN (OLD.${id} = '${value}') EXECUTE FUNCTION mxproof.refuse()`);
}
