// After a database was set back by PostgreSQL's own tools: erases and revokes again what was erased and revoked since, by the files
// beside this machine's backups. Promise: all of it or nothing; run again, it changes nothing more; no one stays signed in who may
// have been signed out since.
import { join, resolve } from 'node:path';
import type { Actor } from '../../rules/audit.ts';
import { writeAudit } from '../../store/audit.ts';
import type { Database } from '../../store/database.ts';
import { readErasureKey } from '../../store/erasure-key.ts';
import { createJobs } from '../../store/jobs.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { type AppliedErasures, applyErasures } from '../erasure/apply-erasures.ts';
import { ERASURES_FILE, readErasures } from '../erasure/erasures-file.ts';
import { addGiven, countNew, prepareGiven } from '../erasure/stored-erasures.ts';
import { freeOldRows } from '../erasure/stored-rows.ts';
import { readRevokedKeys } from './revoked-keys.ts';
import { endAllSignIns, longTransaction } from './stored-reapply.ts';
import { againChanges, revokeAgain } from './stored-revoked-keys.ts';

const EVER = new Date(0);

export interface Reapplied {
  readonly erased: AppliedErasures;
  /** Erasures of the file that were made by another key than this store's, and not looked for. */
  readonly otherKeys: number;
  /** The prefixes of keys that were revoked again; null: there is no file of them. */
  readonly revoked: readonly string[] | null;
}

/** Throws `OperatorError` where a file is something else, or the folder has no file of erasures. */
export async function reapply(
  { db, box }: { readonly db: Database; readonly box: SecretBox },
  actor: Actor,
  folder: string,
): Promise<Reapplied> {
  const file = join(resolve(folder), ERASURES_FILE);
  const revokedKeys = await readRevokedKeys(resolve(folder));
  const reapplied = await longTransaction(db, async (tx) => {
    await prepareGiven(tx);
    for await (const piece of readErasures(file)) await addGiven(tx, piece.erasures);
    const key = await readErasureKey(tx, box);
    const { otherKeys } = await countNew(tx, EVER, key.id);
    const erased = await applyErasures({ jobs: createJobs(db, { safetyNetSeconds: 0 }) }, tx, key);
    const revoked = revokedKeys && (await revokeAgain(tx, actor, revokedKeys));
    await endAllSignIns(tx);
    await writeAudit(tx, actor, {
      ...{ action: 'store.reapplied', accountId: null },
      changes: againChanges({ erased, revoked }),
    });
    return { erased, otherKeys, revoked };
  });
  if (reapplied.erased.rows > 0) await freeOldRows(db);
  return reapplied;
}
