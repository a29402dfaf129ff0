// `mxproof erase`: an address goes from every account's lists, and the operator is told what may still hold it.

import { upgradeCopies } from '../../embedded/upgrade-copies.ts';
import { createContext } from '../../flow/context.ts';
import type { Actor } from '../../rules/audit.ts';
import { cleanEmail, longerThan, MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';
import { OperatorError } from '../../rules/operator-error.ts';
import type { Config } from '../../settings/config.ts';
import { keptBackups } from '../../store/backups.ts';
import type { Database } from '../../store/database.ts';
import { createJobs } from '../../store/jobs.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { requestErasure, runErasure } from './erase-address.ts';
import { spreadErasures } from './erasures-file.ts';

export interface ErasedEverywhere {
  readonly lists: number;
  readonly rows: number;
  readonly backups: {
    readonly count: number;
    /** When the newest of them was made; null: there is none. */
    readonly newestMadeAt: Date | null;
    /** Folders of this machine's whose file `erasures` could not be written. */
    readonly unwritten: readonly string[];
    /** Of a store of MXProof 0.1, made before its upgrade: no restore erases in them. */
    readonly folders: readonly string[];
  };
}

export async function eraseEverywhere(
  {
    db,
    box,
    config: { dataDir },
  }: { readonly db: Database; readonly box: SecretBox; readonly config: Pick<Config, 'dataDir'> },
  actor: Actor,
  address: string,
): Promise<ErasedEverywhere> {
  const email = cleanEmail(address);
  if (email === '' || longerThan(email, MAX_EMAIL_CHARACTERS))
    throw new OperatorError(`An address has 1 to ${MAX_EMAIL_CHARACTERS} characters.`);
  const context = createContext(db, createJobs(db, { safetyNetSeconds: 0 }), box);
  const erasure = await db.transaction((tx) =>
    requestErasure(tx, actor, box, { email, accountId: null, isMine: true }),
  );
  // First: were this to die, a restore would still know.
  const { failed } = await spreadErasures(db, dataDir);
  const { lists, rows } = await runErasure(context, box, erasure);
  const kept = await keptBackups(db);
  const folders = (await upgradeCopies(dataDir)).filter(({ kind }) => kind === 'folder');
  return {
    lists,
    rows,
    backups: {
      count: kept.length,
      newestMadeAt: kept[0]?.madeAt ?? null,
      unwritten: failed,
      folders: folders.map(({ path }) => path),
    },
  };
}
