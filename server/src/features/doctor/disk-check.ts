// disk: room where the data folder is and, with the embedded store, where the database is.
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { findCluster } from '../../embedded/place-cluster.ts';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { about, bytesText, failure, ok, warning } from './result.ts';

const GIB = 1024 ** 3;
const WARNED_BYTES = 4 * GIB;
const FAILED_BYTES = GIB;
const WARNED_INODES = 10_000;
const FAILED_INODES = 500;

/** Of one file system, as `statfs` tells it. */
interface Room {
  readonly bsize: number;
  /** Blocks that are free for other users than root. */
  readonly bavail: number;
  /** 0: it does not count them. */
  readonly files: number;
  readonly ffree: number;
}

export const diskCheck: DoctorCheck = {
  id: 'disk',
  title: 'Disk',
  needs: [],
  async run({ config }) {
    const folders = [{ name: 'data folder', at: config.dataDir }];
    const cluster = config.databaseUrl === null ? findCluster(config.dataDir) : null;
    if (cluster !== null && dirname(cluster) !== resolve(config.dataDir))
      folders.push({ name: 'database', at: cluster });
    return Promise.all(
      folders.map(async ({ name, at }) => {
        const result = judgeRoom(at, await roomAt(at));
        return folders.length === 1 ? result : about(name, result);
      }),
    );
  },
};

/** Of what will be made: where its nearest folder is. */
async function roomAt(folder: string): Promise<Room> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    try {
      return await statfs(at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || at === dirname(at)) throw error;
    }
  }
}

export function judgeRoom(folder: string, { bsize, bavail, files, ffree }: Room): CheckResult {
  const bytes = bsize * bavail;
  const advice = `Make room on the file system of ${folder}, or move the data folder to a larger one (MXPROOF_DATA_DIR).`;
  if (files > 0 && ffree < WARNED_INODES) {
    const detail = `${ffree} inodes are left on the file system of ${folder}: no file can be made once there is none.`;
    return (ffree < FAILED_INODES ? failure : warning)(detail, advice);
  }
  if (bytes < WARNED_BYTES) {
    const detail = `${bytesText(bytes)} are left on the file system of ${folder}: without room, nothing can be written.`;
    return (bytes < FAILED_BYTES ? failure : warning)(detail, advice);
  }
  return ok(`${bytesText(bytes)} are left on the file system of ${folder}.`);
}
