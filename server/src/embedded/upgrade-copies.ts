// What was kept of an embedded store before upgrades, in its data folder.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /^before-upgrade-[\d.]+-to-[\d.]+-(\d{8}T\d{6}Z)(\.backup)?$/;

export interface UpgradeCopy {
  readonly path: string;
  /** `folder`: as MXProof 0.1 opens it; erasures are unknown to it. */
  readonly kind: 'file' | 'folder';
}

/** The newest first; none where there is no such folder. */
export async function upgradeCopies(dataDir: string): Promise<UpgradeCopy[]> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .map((name) => ({ path: join(dataDir, name), found: NAME.exec(name) }))
    .flatMap(({ path, found }) =>
      found ? [{ path, madeAt: found[1]!, isFile: found[2] !== undefined }] : [],
    )
    .sort((a, b) => (a.madeAt < b.madeAt ? 1 : -1))
    .map(({ path, isFile }) => ({ path, kind: isFile ? 'file' : 'folder' }));
}

export function upgradeCopyName(from: number | string, to: number | string): string {
  const date = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `before-upgrade-${from}-to-${to}-${date}Z`;
}
