// A backup's file, read for `mxproof restore` and `mxproof backup verify`. Promise: what is wrong with it is one sentence
// that names it; the store that is restored has the key that its secrets are sealed with, or the operator is told; what was
// erased or revoked after the backup is so again, or the operator is told up to when that is.
import { open, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { withDatabase } from '../../embedded/with-database.ts';
import type { Context } from '../../flow/context.ts';
import type { Actor } from '../../rules/audit.ts';
import { OperatorError } from '../../rules/operator-error.ts';
import type { Config } from '../../settings/config.ts';
import { replaceKeyFile, secretKeys } from '../../settings/secret-key.ts';
import { writeAudit } from '../../store/audit.ts';
import { noteBackup } from '../../store/backups.ts';
import type { Tx } from '../../store/database.ts';
import { readErasureKey, readPlainKey } from '../../store/erasure-key.ts';
import { createJobs } from '../../store/jobs.ts';
import { createSecretBox, fingerprintOf } from '../../store/secret-box.ts';
import { type AppliedErasures, applyErasures } from '../erasure/apply-erasures.ts';
import { ERASURES_FILE, isThere, readErasures } from '../erasure/erasures-file.ts';
import { addGiven, countNew, prepareGiven } from '../erasure/stored-erasures.ts';
import { freeOldRows } from '../erasure/stored-rows.ts';
import { type BackupKeys, type OpenedBackup, openBackup } from './age-file.ts';
import { BrokenBackup } from './backup-file.ts';
import { type RestoredBackup, restoreBackup, type VerifiedBackup, verifyBackup } from './restore-backup.ts';
import { readRevokedKeys } from './revoked-keys.ts';
import { openKey } from './sealed-key.ts';
import { againChanges, revokeAgain } from './stored-revoked-keys.ts';
import { type BackupHeader, hasKey } from './write-backup.ts';

const PIECE_BYTES = 1024 * 1024;

export interface VerifiedFile extends VerifiedBackup {
  readonly isEncrypted: boolean;
  readonly hasKey: boolean;
}

export function verifyFile(file: string, keys: BackupKeys): Promise<VerifiedFile> {
  return reading(file, keys, async ({ plain, isEncrypted }) => {
    const verified = await verifyBackup(plain);
    return { ...verified, isEncrypted, hasKey: hasKey(verified.header) };
  });
}

export async function restoreFromFile(options: {
  readonly config: Config;
  readonly actor: Actor;
  readonly file: string;
  /** What was erased after the backup; unset: the file beside it. Null: is not erased again. */
  readonly erasures?: string | null;
  /** Also where a passphrase is set, which would show that the file is the operator's own. */
  readonly allowUnencrypted?: boolean;
  readonly warn: (line: string) => void;
  readonly onProgress?: (table: string) => void;
}): Promise<RestoredFile> {
  const { config, actor, file, warn, onProgress } = options;
  const erasures = await findErasures(options);
  const revoked = await readRevokedKeys(dirname(resolve(options.erasures ?? file)));
  return reading(file, config, ({ plain: source, isEncrypted }) => {
    if (!isEncrypted && config.backupPassphrase !== null && !options.allowUnencrypted)
      throw new BrokenBackup(
        'is not encrypted, so that MXPROOF_BACKUP_PASSPHRASE does not show that you wrote it: if it is of a version before 0.3 and you know where it was kept, restore it with --unencrypted',
      );
    return withDatabase(config, warn, async (db) => {
      let key: string | null = null;
      let madeAt = new Date(0);
      const again: Again = { erased: null, revoked: null };
      const restored = await restoreBackup({
        db,
        source,
        ...(onProgress && { onProgress }),
        async onHeader(header) {
          key = await keyOf(header, config, warn);
          madeAt = new Date(header.madeAt);
        },
        // Before it is committed: a store without its key could not be restored again, since it is not empty then.
        async onRestored() {
          if (key !== null && config.secretKey === null) replaceKeyFile(config, key);
        },
        async onMigrated(tx) {
          if (revoked !== null) again.revoked = await revokeAgain(tx, actor, revoked);
          const jobs = createJobs(db, { safetyNetSeconds: 0 });
          if (erasures !== null)
            again.erased = await eraseAgain({ jobs }, tx, { erasures, key, madeAt, warn });
          const changes = againChanges(again);
          await writeAudit(tx, actor, { action: 'store.restored', accountId: null, changes });
        },
      });
      if (again.erased !== null && again.erased.rows > 0) await freeOldRows(db);
      await noteRestored(db, resolve(file), restored);
      return { ...restored, ...again };
    });
  });
}

/** A backup does not know itself; what is erased from now on concerns its folder as well. */
async function noteRestored(tx: Tx, path: string, { header, rows }: RestoredBackup): Promise<void> {
  const { size } = await stat(path);
  await noteBackup(tx, {
    machine: hostname(),
    path,
    isNightly: false,
    hasKey: hasKey(header),
    bytes: size,
    rows,
    madeAt: new Date(header.madeAt),
  });
}

interface Again {
  /** What was erased again; null: what was erased after the backup is not known, or was to stay. */
  erased: AppliedErasures | null;
  /** The prefixes of keys that were revoked again; null: which were revoked after the backup is not known. */
  revoked: readonly string[] | null;
}

export interface RestoredFile extends RestoredBackup, Readonly<Again> {}

/** Null: there is none, or none is wanted. Read once before anything is restored: a file that is none stops it there. */
async function findErasures(options: { file: string; erasures?: string | null }): Promise<string | null> {
  if (options.erasures === null) return null;
  const file = resolve(options.erasures ?? join(dirname(options.file), ERASURES_FILE));
  if (options.erasures === undefined && !(await isThere(file))) return null;
  for await (const _ of readErasures(file));
  return file;
}

/** An erasure may be asked for just before the snapshot of a backup, and be stored just after. */
const OVERLAP_MS = 60_000;

async function eraseAgain(
  context: Pick<Context, 'jobs'>,
  tx: Tx,
  options: {
    erasures: string;
    key: string | null;
    madeAt: Date;
    warn: (line: string) => void;
  },
): Promise<AppliedErasures> {
  const { erasures, key: secretKey, madeAt, warn } = options;
  await prepareGiven(tx);
  for await (const piece of readErasures(erasures)) await addGiven(tx, piece.erasures);
  const key =
    secretKey === null ? await readPlainKey(tx) : await readErasureKey(tx, createSecretBox(secretKey));
  // Those before may be another store's.
  const since = new Date(madeAt.getTime() - OVERLAP_MS);
  const { all, otherKeys } = await countNew(tx, since, key?.id ?? null);
  if (key === null) {
    if (all === 0) return { erasures: 0, rows: 0 };
    throw new OperatorError(
      `Addresses were erased after this backup (${all}), and to find them in it takes the secret key: set MXPROOF_SECRET_KEY to that of the service, or MXPROOF_BACKUP_PASSPHRASE where the backup has it. To have them back, restore with --keep-erased.`,
    );
  }
  if (otherKeys > 0)
    warn(
      `${otherKeys} of the ${all} addresses erased after this backup are known by another key than that of this store, and were not looked for: they are another store's, or its secret key was replaced.`,
    );
  return applyErasures(context, tx, key);
}

/** Null: it is not known, and that was said where it matters. */
async function keyOf(
  { secretKey: sealed, plainKey, keyFingerprint }: BackupHeader,
  config: Config,
  warn: (line: string) => void,
): Promise<string | null> {
  if (keyFingerprint === null) return null;
  const isRight = (key: string) => fingerprintOf(key).toString('hex') === keyFingerprint;
  const { backupPassphrase, secretKey } = config;
  const inside =
    plainKey ??
    (sealed !== null && backupPassphrase !== null ? await openKey(sealed, backupPassphrase) : null);
  const own = secretKeys(config);
  if (secretKey !== null && !own.some(isRight))
    throw new OperatorError(
      `MXPROOF_SECRET_KEY is not the key of this backup: ${inside === null ? 'set it to that of the service it was made of, or unset it, and make new webhook secrets after the restore with "mxproof secret rotate-all"' : 'unset it, and the one in the backup is used'}.`,
    );
  const right = [inside, ...own].find((key) => key !== null && isRight(key));
  if (right) return right;
  const why =
    inside !== null
      ? 'The secret key in the backup is not the one that its webhook secrets are encrypted with'
      : sealed !== null
        ? 'The secret key in the backup is sealed and MXPROOF_BACKUP_PASSPHRASE is not set'
        : 'The backup has no secret key';
  warn(
    `${why}${own.length === 0 ? '' : `, and the one in ${config.dataDir} is not its key`}: set MXPROOF_SECRET_KEY to that of the service it was made of, or make new webhook secrets with "mxproof secret rotate-all".`,
  );
  return null;
}

async function reading<T>(
  path: string,
  keys: BackupKeys,
  work: (backup: OpenedBackup) => Promise<T>,
): Promise<T> {
  const file = resolve(path);
  try {
    // Opened first: a stream that cannot be opened fails whenever it likes.
    const handle = await open(file);
    const source = handle.createReadStream({ highWaterMark: PIECE_BYTES });
    try {
      return await work(await openBackup(source, keys));
    } finally {
      source.destroy();
    }
  } catch (error) {
    if (error instanceof BrokenBackup) throw new OperatorError(`${file} ${error.message}.`);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== undefined && /^E(NOENT|ACCES|ISDIR|PERM)$/.test(code ?? ''))
      throw new OperatorError(`Cannot read ${file} (${code}).`);
    throw error;
  }
}
