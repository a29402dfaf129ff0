// backup, backup verify, restore: the whole store as one file; reapply: a store that was set back by other tools.

import { readConfig } from '@mxproof/server/config';
import {
  backupToFile,
  reapply as reapplyTo,
  restoreFromFile,
  runHook,
  verifyFile,
} from '@mxproof/server/operate';
import { serviceSettings } from '../shared/environment.ts';
import { counted, printJson, printLine } from '../shared/print.ts';
import { commandActor, storeConfig, withStore } from './with-store.ts';

interface Json {
  readonly json?: boolean;
}

const NO_KEY =
  'It is not encrypted, and the secret key is not in it: set MXPROOF_BACKUP_PASSPHRASE or MXPROOF_BACKUP_RECIPIENT for both, or keep the key elsewhere (MXPROOF_SECRET_KEY, or the file secret-key in the data folder).';
const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

export async function backup(file: string, { json }: Json): Promise<void> {
  const step = stepLine(json);
  const { hook, ...made } = await withStore(async ({ db, config }) => ({
    hook: config.backupHook,
    ...(await backupToFile({
      db,
      config,
      file,
      actor: commandActor(),
      onProgress: ({ table, bytes }) => step(`${table}, ${sizeOf(bytes)} so far`),
    })),
  }));
  step(null);
  const { path, bytes, rows, hasKey, madeAt } = made;
  if (!hasKey) warn(NO_KEY);
  if (json) printJson({ file: path, bytes, rows, has_key: hasKey, made_at: madeAt.toISOString() });
  else printLine(`Backed up ${rows} rows to ${path} (${sizeOf(bytes)}).`);
  if (hook !== null) await runHook({ hook, file: path, say: warn });
}

export async function backupVerify(file: string, { json }: Json): Promise<void> {
  const { header, tables, rows, hasKey, isEncrypted } = await verifyFile(file, readConfig(serviceSettings()));
  const { version, madeAt } = header;
  if (json)
    return printJson({
      ok: true,
      version,
      made_at: madeAt,
      tables,
      rows,
      has_key: hasKey,
      encrypted: isEncrypted,
    });
  printLine(
    `${file} is whole: ${rows} rows of ${tables} tables as of ${madeAt}, ${isEncrypted ? 'encrypted' : 'not encrypted'}, ${hasKey ? 'with the secret key' : 'without the secret key'}.`,
  );
}

interface RestoreOptions extends Json {
  readonly erasures?: string;
  readonly keepErased?: boolean;
  readonly unencrypted?: boolean;
}

export async function restore(
  file: string,
  { json, erasures, keepErased, unencrypted = false }: RestoreOptions,
): Promise<void> {
  const step = stepLine(json);
  const config = storeConfig();
  const wanted = keepErased ? null : erasures;
  const { header, rows, tables, from, to, erased, revoked } = await restoreFromFile({
    config,
    file,
    actor: commandActor(),
    allowUnencrypted: unencrypted,
    warn,
    onProgress: step,
    ...(wanted !== undefined && { erasures: wanted }),
  });
  step(null);
  if (erased === null)
    warn(
      `Erasures are known up to ${header.madeAt}: addresses that were erased later are in the store again. Erase them anew, or restore with the newest file "erasures" of the service: --erasures FILE.`,
    );
  warn(`Everyone is signed out. ${keysText(revoked, header.madeAt)}`);
  if (json)
    return printJson({
      rows,
      tables,
      made_at: header.madeAt,
      from,
      to,
      erased_again: erased?.rows ?? null,
      revoked_again: revoked,
    });
  const migrated = from === to ? '' : `, and migrated from version ${from} to ${to}`;
  const again =
    erased === null || erased.erasures === 0
      ? ''
      : ` Erased after it, and now here too: ${erased.erasures === 1 ? '1 address' : `${erased.erasures} addresses`} (${counted(erased.rows, 'row')}).`;
  printLine(
    `Restored ${rows} rows as of ${header.madeAt}${migrated}.${again} Start the service: "mxproof serve".`,
  );
}

export async function reapply(folder: string, { json }: Json): Promise<void> {
  const { erased, otherKeys, revoked } = await withStore((store) => reapplyTo(store, commandActor(), folder));
  if (otherKeys > 0)
    warn(
      `${counted(otherKeys, 'erasure')} in the file ${otherKeys === 1 ? 'is' : 'are'} known by another key than that of this store, and ${otherKeys === 1 ? 'was' : 'were'} not looked for.`,
    );
  warn(`Everyone is signed out. ${keysText(revoked, 'the time to which the database was set back')}`);
  if (json) return printJson({ erased_again: erased.rows, revoked_again: revoked });
  printLine(
    erased.erasures === 0
      ? 'The store knows of every erasure in the file.'
      : `Erased again: ${erased.erasures === 1 ? '1 address' : `${erased.erasures} addresses`} (${counted(erased.rows, 'row')}).`,
  );
}

function keysText(revoked: readonly string[] | null, madeAt: string): string {
  const byHand =
    '"mxproof key list ACCOUNT" shows the keys of an account, "mxproof key revoke KEY" revokes one.';
  if (revoked === null) return `API keys that were revoked after ${madeAt} are valid again: ${byHand}`;
  const again = revoked.length === 0 ? 'no API key' : revoked.map((prefix) => `${prefix}…`).join(', ');
  return `Revoked again, as the file "revoked-keys" says: ${again}. Keys that were revoked after it was written are valid: ${byHand}`;
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

function sizeOf(bytes: number): string {
  return bytes < MEGABYTE ? `${Math.ceil(bytes / KILOBYTE)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

/** One line that changes, for people at a terminal; null takes it away. */
function stepLine(json: boolean | undefined): (text: string | null) => void {
  if (json === true || !process.stderr.isTTY) return () => {};
  return (text) => void process.stderr.write(`\r\u001b[K${text ?? ''}`);
}
