// A backup every night in MXPROOF_BACKUP_DIR, and the oldest of them removed.
// Promise: one node of all makes it; one that fails is tried again an hour later; nothing is removed before the new one is
// whole, and no file that was not made here.
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { keptBackups, noteRemoved } from '../store/backups.ts';
import type { Database } from '../store/database.ts';
import { takeDuty } from '../store/duty-lease.ts';
import { startLoop } from '../worker/loop.ts';
import { backupToFile } from './backup-to-file.ts';

const LOOK_MS = 60_000;
/** Of UTC. Few lists run then in Europe and America. */
const NIGHT_HOUR = 3;
const TRY_AGAIN_SECONDS = 3_600;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NAME = /^mxproof-\d{8}T\d{6}Z\.backup$/;
/** What a process that was killed while it wrote one has left. */
const PART = /^mxproof-\d{8}T\d{6}Z\.backup\.[0-9a-f]{8}\.part$/;

export interface NightlyBackupOptions {
  readonly db: Database;
  readonly config: Config;
  readonly folder: string;
  readonly log: Pick<Logger, 'info' | 'error' | 'warn' | 'debug'>;
}

export function startNightlyBackups(options: NightlyBackupOptions & { log: Logger }): {
  stop(): Promise<void>;
} {
  const { db, log } = options;
  const stopping = new AbortController();
  const loop = startLoop({
    name: 'nightly backup',
    everyMs: LOOK_MS,
    log,
    async run() {
      if (!(await isDue(db, Date.now())) || !(await takeDuty(db, 'nightly backup', TRY_AGAIN_SECONDS)))
        return;
      await makeNightlyBackup(options, Date.now(), stopping.signal).catch((error: Error) => {
        if (!stopping.signal.aborted)
          log.error({ err: error }, 'the nightly backup failed: it is tried again in an hour');
      });
    },
  });
  return {
    stop() {
      stopping.abort(new Error('the service stops'));
      return loop.stop();
    },
  };
}

/** The latest night has begun, and has none. */
export async function isDue(db: Database, nowMs: number): Promise<boolean> {
  const nightMs = Math.floor((nowMs - NIGHT_HOUR * HOUR_MS) / DAY_MS) * DAY_MS + NIGHT_HOUR * HOUR_MS;
  const latest = (await keptBackups(db)).find(({ isNightly }) => isNightly);
  return latest === undefined || latest.madeAt.getTime() < nightMs;
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
    isNightly: true,
    signal,
  });
  log.info({ name, bytes, rows, hasKey }, 'nightly backup made');
  const files = await readdir(folder);
  for (const part of files.filter((each) => PART.test(each))) await rm(join(folder, part), { force: true });
  const all = files.filter((each) => NAME.test(each)).sort();
  for (const old of all.slice(0, Math.max(0, all.length - config.backupKeep))) {
    const path = join(folder, old);
    await rm(path);
    await noteRemoved(db, hostname(), path);
  }
}
