// What the operator's pages have to show, in the store of a running service.
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { addDoctorRows, addSourceRows } from '../../server/test/operator-rows.ts';
import type { Rig } from './rig.ts';

export async function inStore<T>({ service }: Rig, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url: service.operator.DATABASE_URL! });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

export const addOperatorRows = (rig: Rig): Promise<void> =>
  inStore(rig, async (db) => {
    await addSourceRows(db);
    await addDoctorRows(db);
  });
