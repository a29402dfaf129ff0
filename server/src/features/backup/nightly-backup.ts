// A backup every night in MXPROOF_BACKUP_DIR, and the oldest of them removed.
// Promise: one node of all makes it, at once when it is overdue, as after a restart; one that fails is noted for all nodes and
// tried again later and later, at least once an hour, as is its hook; nothing is removed before the new one is whole, and no file that was
// not made here.
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { THE_SERVICE } from '../../rules/audit.ts';
import { OperatorError } from '../../rules/operator-error.ts';
import type { Config } from '../../settings/config.ts';
import {
  keptBackups,
  type MadeBackup,
  noteHooked,
  noteRemoved,
  unhookedBackup,
} from '../../store/backups.ts';
import { type Database, isUnavailable } from '../../store/database.ts';
import { renewDuty, takeDuty } from '../../store/duty-lease.ts';
import { startLoop } from '../../worker/loop.ts';
import { isNightDue, retryAfterMs } from './backup-schedule.ts';
import { backupToFile } from './backup-to-file.ts';
import { runHook } from './run-hook.ts';
import { noteNightly, readBackupState, sayNightly } from './stored-nightly.ts';

const LOOK_MS = 60_000;
const DUTY = 'nightly backup';
/** A node that is at it says so more often: one that has died holds up the next for no longer. */
const DUTY_SECONDS = 60;
const RENEW_MS = 15_000;
/** Of one write. A folder on a network may hang for good: then other nodes have their turn. */
const WRITE_LIMIT_HOURS = 6;
const NAME = /^mxproof-\d{8}T\d{6}Z\.backup$/;
/** What a process that was killed while it wrote one has left. */
const PART = /^mxproof-\d{8}T\d{6}Z\.backup\.[0-9a-f]{8}\.part$/;

export interface NightlyBackupOptions {
  readonly db: Database;
  readonly config: Config;
  readonly folder: string;
  readonly log: Pick<Logger, 'info' | 'error' | 'warn' | 'debug'>;
}

export function startNightlyBackups(options: NightlyBackupOptions & { log: Logger; lookMs?: number }): {
  stop(): Promise<void>;
} {
  const { db, folder, log } = options;
  const machine = hostname();
  const stopping = new AbortController();
  let failures = 0;
  let notBeforeMs = 0;
  let isWriting = false;

  async function look(): Promise<void> {
    await sayNightly(db, machine, folder);
    await noteMissing(options);
    // One that hangs beyond its limit keeps its threads: there is no second.
    if (isWriting || performance.now() < notBeforeMs) return;
    const { nowMs } = await readBackupState(db);
    const isWanted = (await isDue(db, nowMs)) || (await findUnhooked(options)) !== null;
    if (!isWanted || !(await takeDuty(db, DUTY, DUTY_SECONDS))) return;
    const failure = await attempt(nowMs);
    if (stopping.signal.aborted) return;
    failures = failure === null ? 0 : failures + 1;
    if (failure !== null) {
      const againMs = retryAfterMs(failures);
      notBeforeMs = performance.now() + againMs;
      log.error(
        { err: failure },
        `the nightly backup failed: it is tried again in ${againMs / 60_000} minutes, or when the service is restarted`,
      );
    }
    await noteNightly(db, machine, failure && sentenceOf(failure));
  }

  /** Null: it was made. */
  async function attempt(nowMs: number): Promise<Error | null> {
    const over = new AbortController();
    const tooLate = new OperatorError(`It was not done after ${WRITE_LIMIT_HOURS} hours.`);
    // One that does not even end when it is told to is left behind; a stop waits for what is to be cleaned up.
    const late = sleep(WRITE_LIMIT_HOURS * 3_600_000, tooLate, { signal: over.signal });
    const limit = new AbortController();
    isWriting = true;
    const written = makeAndHook(options, nowMs, AbortSignal.any([stopping.signal, limit.signal]))
      .then(() => null)
      .catch((error: Error) => error)
      .finally(() => {
        isWriting = false;
      });
    const renewing = renew(over.signal);
    const failure = await Promise.race([written, late]);
    limit.abort(tooLate);
    over.abort();
    await Promise.all([renewing, late.catch(() => {})]);
    return failure;
  }

  async function renew(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(RENEW_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      // Without the database there is nothing that another node could take over.
      await renewDuty(db, DUTY).catch(() => {});
      await sayNightly(db, machine, folder).catch(() => {});
    }
  }

  const loop = startLoop({ name: DUTY, everyMs: options.lookMs ?? LOOK_MS, log, run: look });
  return {
    stop() {
      stopping.abort(new Error('the service stops'));
      return loop.stop();
    },
  };
}

/** For the operator, without anything that PostgreSQL quotes. */
function sentenceOf(error: Error): string {
  if (error instanceof OperatorError) return error.message;
  return isUnavailable(error)
    ? 'The database went away meanwhile.'
    : 'There was an error that the log of the service shows.';
}

/** The latest night has begun, and has none. */
export async function isDue(db: Database, nowMs: number): Promise<boolean> {
  const nightly = (await keptBackups(db)).filter(({ isNightly }) => isNightly);
  return isNightDue(
    nightly.map(({ madeAt }) => madeAt.getTime()),
    nowMs,
  );
}

async function makeAndHook(options: NightlyBackupOptions, nowMs: number, signal: AbortSignal): Promise<void> {
  const { db, config, log } = options;
  if (await isDue(db, nowMs)) await makeNightlyBackup(options, nowMs, signal);
  const file = await findUnhooked(options);
  if (file === null) return;
  const say = (text: string) => log.error({ file, said: text }, 'MXPROOF_BACKUP_HOOK failed, and said this');
  await runHook({ hook: config.backupHook!, file, say, signal });
  await noteHooked(db, hostname(), file);
  log.info({ file }, 'MXPROOF_BACKUP_HOOK has run');
}

/** Also one whose hook has failed, or was interrupted. Null: there is none, or no hook. */
async function findUnhooked({ db, config, folder }: NightlyBackupOptions): Promise<string | null> {
  return config.backupHook === null ? null : unhookedBackup(db, hostname(), folder);
}

/** Files that were removed by hand are no backups; in a folder that is not there, they may come back with it. */
async function noteMissing({ db, folder, log }: NightlyBackupOptions): Promise<void> {
  const ours = ({ machine, path }: MadeBackup) => machine === hostname() && dirname(path) === folder;
  for (const { path } of (await keptBackups(db)).filter(ours)) {
    if (!(await isGone(path)) || (await isGone(folder))) return;
    await noteRemoved(db, hostname(), path);
    log.warn({ path }, 'a backup is no longer where it was written');
  }
}

async function isGone(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  );
}

export async function makeNightlyBackup(
  { db, config, folder, log }: NightlyBackupOptions,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  const name = `mxproof-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.backup`;
  const { bytes, rows, hasKey } = await backupToFile({
    db,
    config,
    file: join(folder, name),
    actor: { ...THE_SERVICE, client: hostname() },
    isNightly: true,
    signal,
  });
  log.info({ name, bytes, rows, hasKey }, 'nightly backup made');
  await removeOld(db, folder, name, config.backupKeep).catch((error: Error) =>
    log.error({ err: error }, 'old backups could not be removed: remove them, or the disk fills up'),
  );
}

async function removeOld(db: Database, folder: string, newest: string, keep: number): Promise<void> {
  const files = await readdir(folder);
  for (const part of files.filter((each) => PART.test(each))) await rm(join(folder, part), { force: true });
  const all = files.filter((each) => NAME.test(each)).sort();
  // Names of the future are from before the clock was set back: they go first, or each new one would go at once.
  const ordered = [...all.filter((each) => each > newest), ...all.filter((each) => each <= newest)];
  for (const old of ordered.slice(0, Math.max(0, all.length - keep))) {
    const path = join(folder, old);
    await rm(path);
    await noteRemoved(db, hostname(), path);
  }
}
