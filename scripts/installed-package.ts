// The command as it is published, installed into a folder with all that it needs.
// Promise: every dependency has a version of the lock file; types and maps, which nothing that runs reads, are not there, and neither
// is anything else in the folder.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from './pack.ts';

const ROOT = join(import.meta.dirname, '..');

/** Read by compilers and debuggers only. */
const TRIMMED = ['**/*.{map,a}', '**/*.d.{ts,mts,cts}', '**/pkgconfig'];

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly resolved?: string }>>;
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** npm keeps what a lock file has where it fits, though it was written for another package. `home` is empty. */
export async function installPackage(home: string): Promise<void> {
  const packed = mkdtempSync(join(tmpdir(), 'mxproof-image-'));
  const [tarball = ''] = await pack(packed, ['cli']);
  for (const file of ['package-lock.json', '.npmrc']) copyFileSync(join(ROOT, file), join(home, file));
  const manifest = { private: true, dependencies: { mxproof: `file:${tarball}` } };
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--omit=dev', '--prefer-offline'], {
    cwd: home,
    stdio: ['ignore', 2, 2],
  });
  const lock = readJson<Lock>(join(ROOT, 'package-lock.json'));
  const strangers = notInLock(readJson<Lock>(join(home, 'node_modules/.package-lock.json')), lock);
  if (strangers.length > 0) throw new Error(`not as in package-lock.json: ${strangers.join(', ')}`);
  // Also what npm has made for the lock file's own folders, such as a compiler of the client's tests.
  for (const name of readdirSync(home))
    if (name !== 'node_modules') rmSync(join(home, name), { recursive: true });
  rmSync(packed, { recursive: true });
  for (const path of globSync(TRIMMED, { cwd: join(home, 'node_modules') }))
    rmSync(join(home, 'node_modules', path), { recursive: true });
}

const nameOf = (path: string) => path.split('node_modules/').at(-1)!;

/** Packages of ours are in the lock file as folders, without a version. */
function notInLock(installed: Lock, lock: Lock): string[] {
  const locked = new Set(
    Object.entries(lock.packages).map(([path, { version }]) => `${nameOf(path)}@${version}`),
  );
  return Object.entries(installed.packages)
    .filter(([path]) => !/(^|\/)(mxproof|@mxproof\/\w+)$/.test(path))
    .map(([path, { version }]) => `${nameOf(path)}@${version}`)
    .filter((each) => !locked.has(each));
}
