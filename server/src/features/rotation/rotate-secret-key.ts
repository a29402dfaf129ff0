// Replaces the secret key, while the service runs or not.
// Promise: at every moment, what is stored opens with one of two keys that every live node has; killed anywhere and run again, it
// goes on; the key before is kept where it was made here, since backups made with it need it.
//
//   new key beside the old one, on every node ─▶ the new one seals ─▶ sealed again, in batches ─▶ key files ─▶ done
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../../rules/audit.ts';
import { OperatorError } from '../../rules/operator-error.ts';
import type { Config } from '../../settings/config.ts';
import {
  keptKeyFile,
  nextSecretKey,
  preparedSecretKey,
  secretKeys,
  takeNextKeyFile,
} from '../../settings/secret-key.ts';
import { writeAudit } from '../../store/audit.ts';
import type { Database } from '../../store/database.ts';
import { machinesWithoutKey } from '../../store/nodes.ts';
import { createSecretBox, fingerprintOf, type SecretBox, WrongSecretKey } from '../../store/secret-box.ts';
import { ensureSecretKey, keysInUse } from '../../store/webhook-secrets.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import { beginRotation, endRotation, replaceSealed, type SealedRow, sealedRows } from './stored-rotation.ts';

/** Their rows are locked together, for some milliseconds. */
const BATCH = 100;
const READ_AT_ONCE = 1_000;
/** A node says what it has every few seconds; one that was killed is not waited for after a minute. */
const WAIT_FOR_NODES_MS = 75_000;
const LOOK_EVERY_MS = 500;
const NAMES_SHOWN = 5;

export interface Rotated {
  /** Null: the settings are to follow. */
  readonly keptAt: string | null;
  /** Values that were sealed again, also by runs that were cut off. */
  readonly sealed: number;
  /** That neither key opened: they were lost before. */
  readonly unreadable: number;
}

export interface RotationOptions {
  readonly db: Database;
  readonly config: Config;
  readonly actor: Actor;
  readonly onStep?: (line: string) => void;
  /** After each batch. */
  readonly onBatch?: (column: SealedColumn, values: number) => void;
  readonly waitMs?: number;
}

export async function rotateSecretKey(options: RotationOptions): Promise<Rotated> {
  const { db, config, onStep = () => {} } = options;
  const { from, to } = (await unfinished(db, config)) ?? (await begin(options));
  onStep('Sealing what is stored with the new key …');
  const counts = await sealAgain(options, from, to);
  const isHere = config.secretKey === null;
  if (isHere) takeNextKeyFile(config, fingerprintOf(from));
  await endRotation(db, fingerprintOf(to));
  return { ...counts, keptAt: isHere ? join(config.dataDir, keptKeyFile(fingerprintOf(from))) : null };
}

interface TwoKeys {
  readonly from: string;
  readonly to: string;
}

/** A rotation that was cut off; null: there is none. */
async function unfinished(db: Database, config: Config): Promise<TwoKeys | null> {
  const state = await keysInUse(db);
  if (!state?.previous) return null;
  const { fingerprint, previous } = state;
  const find = (wanted: Buffer) => secretKeys(config).find((key) => fingerprintOf(key).equals(wanted));
  const [from, to] = [find(previous), find(fingerprint)];
  if (from === undefined || to === undefined)
    throw new OperatorError(
      'A rotation of the secret key was begun, and here is only one of its two keys: run this where both are, in the data folder or as MXPROOF_SECRET_KEY and MXPROOF_SECRET_KEY_NEXT.',
    );
  return { from, to };
}

async function begin({
  db,
  config,
  actor,
  onStep = () => {},
  waitMs = WAIT_FOR_NODES_MS,
}: RotationOptions): Promise<TwoKeys> {
  // Before a key is made: this may be another data folder than the service's.
  const keys = createSecretBox(() => secretKeys(config));
  const inUse = (await db.transaction((tx) => ensureSecretKey(tx, keys)).catch(asOperatorError)).fingerprint;
  const to = nextSecretKey(config);
  if (to === null)
    throw new OperatorError(
      'MXPROOF_SECRET_KEY is set: set MXPROOF_SECRET_KEY_NEXT beside it to a new key (openssl rand -hex 32) on every node, restart them one by one, and run this again with both.',
    );
  if (fingerprintOf(to).equals(inUse))
    throw new OperatorError(
      'This rotation is done: set MXPROOF_SECRET_KEY to the value of MXPROOF_SECRET_KEY_NEXT on every node, and remove MXPROOF_SECRET_KEY_NEXT.',
    );
  await waitForNodes(db, fingerprintOf(to), waitMs, onStep);
  const hasBegun = await db.transaction(async (tx) => {
    const begun = await beginRotation(tx, inUse, fingerprintOf(to));
    // From here on the new key is in use, also if this is cut off and goes on later.
    if (begun) await writeAudit(tx, actor, { action: 'secret_key.rotated', accountId: null });
    return begun;
  });
  if (!hasBegun) throw new OperatorError('Another rotation of the secret key has begun: run this again.');
  return { from: secretKeys(config).find((key) => fingerprintOf(key).equals(inUse))!, to };
}

/** One without the new key could not sign any more, and would not seal either. */
async function waitForNodes(
  db: Database,
  fingerprint: Buffer,
  waitMs: number,
  onStep: (line: string) => void,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    const missing = await machinesWithoutKey(db, fingerprint);
    if (missing.length === 0) return;
    const names = `${missing.slice(0, NAMES_SHOWN).join(', ')}${missing.length > NAMES_SHOWN ? ', …' : ''}`;
    if (performance.now() >= deadline)
      throw new OperatorError(
        `The nodes on these machines do not have the new secret key: ${names}. Nothing was changed. Give it to them (MXPROOF_SECRET_KEY_NEXT, or the file "secret-key.next" of the data folder), and run this again.`,
      );
    if (isFirst) onStep(`Waiting until the nodes have the new key: ${names} …`);
    await sleep(LOOK_EVERY_MS);
  }
}

async function sealAgain(
  { db, onBatch = () => {} }: RotationOptions,
  from: string,
  to: string,
): Promise<{ sealed: number; unreadable: number }> {
  const [before, after] = [createSecretBox(from), createSecretBox(to)];
  const sealer = after.sealer(after.fingerprint)!;
  let sealed = 0;
  let unreadable = 0;
  for (const column of SEALED_COLUMNS) {
    for (let last = 0; ; ) {
      const rows = await db.transaction(async (tx) => {
        const found = await sealedRows(tx, column, { after: last, limit: BATCH, lock: true });
        const fresh: SealedRow[] = [];
        let lost = 0;
        for (const { id, sealed: bytes } of found) {
          const boundTo = column.boundTo(id);
          if (textOf(after, bytes, boundTo) !== null) continue;
          const text = textOf(before, bytes, boundTo);
          if (text === null) lost += 1;
          else fresh.push({ id, sealed: sealer.seal(text, boundTo) });
        }
        if (fresh.length > 0) await replaceSealed(tx, column, fresh);
        return { last: found.at(-1)?.id, count: found.length, lost };
      });
      if (rows.last === undefined) break;
      last = rows.last;
      sealed += rows.count - rows.lost;
      unreadable += rows.lost;
      onBatch(column, rows.count);
    }
  }
  return { sealed, unreadable };
}

function textOf(box: SecretBox, sealed: Buffer, boundTo: string): string | null {
  try {
    return box.open(sealed, boundTo);
  } catch (error) {
    if (!(error instanceof WrongSecretKey)) throw error;
    return null;
  }
}

function asOperatorError(error: Error): never {
  throw error instanceof WrongSecretKey ? new OperatorError(error.message) : error;
}

export interface RotationStatus {
  readonly state: 'idle' | 'prepared' | 'rotating';
  /** Values that are sealed, and how many of them with the key that is in use. */
  readonly values: number;
  readonly withKeyInUse: number;
  /** Machines of live nodes that do not have the next key, where there is one. */
  readonly nodesWithoutNext: readonly string[];
}

/** Changes nothing. */
export async function rotationStatus({
  db,
  config,
}: Pick<RotationOptions, 'db' | 'config'>): Promise<RotationStatus> {
  const state = await keysInUse(db);
  const prepared = preparedSecretKey(config);
  const next = prepared === null ? null : fingerprintOf(prepared);
  const isPrepared = next !== null && state !== null && !next.equals(state.fingerprint);
  const keys = secretKeys(config).filter((key) => state && fingerprintOf(key).equals(state.fingerprint));
  const box = keys[0] === undefined ? null : createSecretBox(keys[0]);
  let values = 0;
  let withKeyInUse = 0;
  for (const column of SEALED_COLUMNS)
    for (let after = 0; ; ) {
      const rows = await sealedRows(db, column, { after, limit: READ_AT_ONCE, lock: false });
      if (rows.length === 0) break;
      after = rows.at(-1)!.id;
      values += rows.length;
      const opens = ({ id, sealed }: SealedRow) => box && textOf(box, sealed, column.boundTo(id)) !== null;
      withKeyInUse += rows.filter(opens).length;
    }
  return {
    state: state?.previous ? 'rotating' : isPrepared ? 'prepared' : 'idle',
    values,
    withKeyInUse,
    nodesWithoutNext: isPrepared ? await machinesWithoutKey(db, next) : [],
  };
}
