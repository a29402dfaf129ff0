// Notes in the audit trail that the rows of a list are read out, before the first of them is.
// Promise: one row for a list, a reader and an hour, over all nodes; a node that knows of it asks the database no more in that hour.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Actor } from '../rules/audit.ts';
import type { List } from '../rules/list.ts';
import { writeAudit } from '../store/audit.ts';
import { noteExport } from '../store/audited-exports.ts';
import type { Database } from '../store/database.ts';

/** The one noted first is forgotten beyond: the database is asked again. */
const REMEMBERED = 10_000;

export interface ExportNotes {
  /** Resolves when the trail has it. A single check is no list that is read out. */
  note(actor: Actor, list: Pick<List, 'id' | 'accountId' | 'single'>): Promise<void>;
}

export function createExportNotes(db: Database, now = steadyNow): ExportNotes {
  /** Until when, by list and reader. */
  const noted = new Map<string, number>();
  /** Pages of one list that are asked for together share a transaction. */
  const underWay = new Map<string, Promise<void>>();

  async function write(actor: Actor, { id, accountId }: Pick<List, 'id' | 'accountId'>, key: string) {
    const beganMs = now();
    const reader = actor.id === null ? actor.kind : `${actor.kind} ${actor.id}`;
    const leftMs = await db.transaction(async (tx) => {
      const noting = await noteExport(tx, id, reader);
      if (noting.isNew) await writeAudit(tx, actor, { action: 'list.exported', accountId, subjectId: id });
      return noting.leftMs;
    });
    noted.delete(key);
    noted.set(key, beganMs + leftMs);
    if (noted.size > REMEMBERED) noted.delete(noted.keys().next().value!);
  }

  return {
    async note(actor, list) {
      if (list.single) return;
      const key = `${list.id} ${actor.kind} ${actor.id}`;
      if (now() < (noted.get(key) ?? Number.NEGATIVE_INFINITY)) return;
      const writing = underWay.get(key) ?? write(actor, list, key).finally(() => underWay.delete(key));
      underWay.set(key, writing);
      await writing;
    },
  };
}
