// One tarball that needs no registry: the command as it is published, with every package it depends on, PostgreSQL and Node among
// them, for the platform that it is made on.
// Promise: each at the lock file's version; npm installs it offline from an empty cache; without npm it runs where it is unpacked; two
// runs give the same bytes.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installPackage } from './installed-package.ts';
import { FROZEN_PACKAGES } from './pack.ts';

const ROOT = join(import.meta.dirname, '..');
const PLATFORM = `${process.platform}-${process.arch}`;
const NODE = `node-${PLATFORM}`;

/** For a machine that has no Node, or an old one. */
const LAUNCHER = `#!/bin/sh
# Runs MXProof on the Node that travels with it, wherever this folder is.
here=$(dirname "$(readlink -f "$0")")
PATH="$here/node_modules/${NODE}/bin:$PATH" exec "$here/node_modules/${NODE}/bin/node" "$here/bin/mxproof.mjs" "$@"
`;

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** @returns the path of the bundle */
export async function packOffline(folder: string): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'mxproof-offline-'));
  try {
    await installPackage(work);
    const { version } = layOut(work, join(work, 'package'));
    mkdirSync(folder, { recursive: true });
    const bundle = join(resolve(folder), `mxproof-${version}-offline-${PLATFORM}.tgz`);
    tarball(work, bundle);
    return bundle;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** What was installed beside the package travels inside it, where npm takes it from. */
function layOut(home: string, target: string): Manifest {
  renameSync(join(home, 'node_modules/mxproof'), target);
  const inside = join(target, 'node_modules');
  for (const name of packagesIn(join(home, 'node_modules'))) {
    if (FROZEN_PACKAGES.includes(name)) continue;
    if (existsSync(join(inside, name))) throw new Error(`Two versions of ${name} cannot lie in one folder.`);
    mkdirSync(join(inside, name, '..'), { recursive: true });
    renameSync(join(home, 'node_modules', name), join(inside, name));
  }
  cpSync(join(ROOT, 'node_modules', NODE), join(inside, NODE), { recursive: true });
  for (const path of globSync('**/node_modules/{*,@*/*}/package.json', { cwd: target }))
    withoutScripts(join(target, path));
  const path = join(target, 'package.json');
  const { optionalDependencies: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Manifest & {
    optionalDependencies?: object;
  };
  const names = packagesIn(inside);
  const bundled = {
    ...manifest,
    files: undefined,
    // An older Node starts the one that travels with it.
    engines: undefined,
    dependencies: Object.fromEntries(names.map((name) => [name, versionOf(join(inside, name))])),
    bundleDependencies: names,
  };
  writeFileSync(path, `${JSON.stringify(bundled, null, 2)}\n`);
  writeFileSync(join(target, 'mxproof'), LAUNCHER);
  chmodSync(join(target, 'mxproof'), 0o755);
  return manifest;
}

/** They are run where ours never were, and one of them would download what the lock file does not know. */
function withoutScripts(path: string): void {
  const { scripts, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as { scripts?: object };
  if (scripts !== undefined) writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The lock file's links to folders of the checkout, which npm makes as well, are none. */
function packagesIn(modules: string): string[] {
  const folders = (path: string) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
  return folders(modules)
    .flatMap((name) =>
      name.startsWith('@') ? folders(join(modules, name)).map((each) => `${name}/${each}`) : [name],
    )
    .sort();
}

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest).version;
}

/** Names, dates, owners and modes as on every other machine. */
function tarball(folder: string, bundle: string): void {
  const same = ['--sort=name', '--mtime=@499162500', '--owner=0', '--group=0', '--numeric-owner'];
  const args = [...same, '--mode=u+rwX,go+rX,go-w', '-C', folder, '-cf', '-', 'package'];
  const gzip = `tar ${args.map((each) => `'${each}'`).join(' ')} | gzip -9n > "$0"`;
  execFileSync('bash', ['-o', 'pipefail', '-c', gzip, bundle], { stdio: ['ignore', 'ignore', 'inherit'] });
}
