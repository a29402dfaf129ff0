// Root in the data folder of another user, who has placed links there beforehand. What they lead to stays as it was, is not
// read, and stays root's.
import {
  chownSync,
  closeSync,
  globSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../settings/config.ts';
import { findSecretKey, loadSecretKey } from '../settings/secret-key.ts';
import { holdFolder, MAKE } from './held-folder.ts';
import { placeCluster } from './place-cluster.ts';
import { openLockFolder, takeServiceLock } from './service-lock.ts';
import { sayStarting } from './starting-service.ts';
import { storePassword } from './write-secret.ts';

const isRoot = process.getuid?.() === 0;
/** `nobody` on Debian; any number will do. */
const OWNER = 65_534;
const SECRET = 'a secret of root';

let folder: string;
let dataDir: string;
/** Root's, outside of the data folder. */
let target: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mxproof-held-'));
  dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o755 });
  if (isRoot) chownSync(dataDir, OWNER, OWNER);
  target = join(folder, 'target');
  writeFileSync(target, SECRET, { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const config = () => readConfig({ MXPROOF_DATA_DIR: dataDir });
const asRoot = test.skipIf(!isRoot);

function expectTargetUntouched(): void {
  expect(readFileSync(target, 'utf8')).toBe(SECRET);
  expect(statSync(target)).toMatchObject({ uid: 0, gid: 0 });
  expect(statSync(target).mode & 0o777).toBe(0o600);
}

asRoot('what root makes in the folder is its owner’s, mode and all', () => {
  storePassword(dataDir);
  loadSecretKey(config(), () => {});
  const lock = takeServiceLock(dataDir, 'command');
  if (lock.kind === 'held') lock.release();
  for (const [name, mode] of [
    ['postgres-password', 0o600],
    ['secret-key', 0o600],
    ['service.lock', 0o755],
  ] as const) {
    expect(statSync(join(dataDir, name)), name).toMatchObject({ uid: OWNER, gid: OWNER });
    expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(mode);
  }
  expect(readdirSync(dataDir).sort()).toEqual(['postgres-password', 'secret-key', 'service.lock']);
});

const place = {
  symlink: (at: string) => symlinkSync(target, at),
  'hard link': (at: string) => linkSync(target, at),
};

for (const kind of ['symlink', 'hard link'] as const) {
  asRoot(`a ${kind} in place of the password is not read`, () => {
    place[kind](join(dataDir, 'postgres-password'));
    expect(() => storePassword(dataDir)).toThrow(/postgres-password is a link/);
    expectTargetUntouched();
  });

  asRoot(`a ${kind} in place of the secret key is not read`, () => {
    place[kind](join(dataDir, 'secret-key'));
    expect(() => findSecretKey(config())).toThrow(/secret-key is a link/);
    expect(() => loadSecretKey(config(), () => {})).toThrow(/secret-key is a link/);
    expectTargetUntouched();
  });

  asRoot(`a ${kind} in place of the note where the cluster is neither is read nor written`, () => {
    place[kind](join(dataDir, 'postgres-is-in'));
    expect(() => placeCluster(dataDir, () => {})).toThrow(/postgres-is-in is a link/);
    expectTargetUntouched();
  });

  asRoot(`a ${kind} under the name that a starting service writes first is left alone`, () => {
    mkdirSync(join(dataDir, 'service.lock'));
    place[kind](join(dataDir, `service.lock/.starting-${process.pid}`));
    sayStarting(dataDir);
    expectTargetUntouched();
    expect(lstatSync(join(dataDir, `service.lock/starting-${process.pid}`)).isFile()).toBe(true);
  });
}

asRoot('what is given is the file that was made, whatever has its name by then', () => {
  const held = holdFolder(dataDir);
  const made = openSync(held.pathOf('made'), MAKE, 0o600);
  renameSync(join(dataDir, 'made'), join(dataDir, 'moved'));
  symlinkSync(target, join(dataDir, 'made'));
  held.give(made);
  closeSync(made);
  held.close();
  expectTargetUntouched();
  expect(statSync(join(dataDir, 'moved'))).toMatchObject({ uid: OWNER, gid: OWNER });
});

asRoot('a link to a file that is not there yet is not made into one', () => {
  rmSync(target);
  symlinkSync(target, join(dataDir, 'postgres-password'));
  symlinkSync(target, join(dataDir, 'secret-key'));
  expect(() => storePassword(dataDir)).toThrow(/postgres-password is a link/);
  expect(() => loadSecretKey(config(), () => {})).toThrow(/secret-key is a link/);
  expect(() => lstatSync(target)).toThrow('ENOENT');
});

asRoot('a link in place of the lock’s folder is refused', () => {
  const other = join(folder, 'other');
  mkdirSync(other, { mode: 0o700 });
  writeFileSync(join(other, '1'), SECRET);
  symlinkSync(other, join(dataDir, 'service.lock'));
  expect(() => openLockFolder(dataDir)).toThrow(/service\.lock is a link/);
  expect(() => takeServiceLock(dataDir, 'command')).toThrow(/service\.lock is a link/);
  expect(readdirSync(other)).toEqual(['1']);
  expect(statSync(other)).toMatchObject({ uid: 0 });
  expect(statSync(other).mode & 0o777).toBe(0o700);
});

asRoot('the owner’s note sends root to no folder of the owner’s choice', () => {
  const home = join(folder, 'home');
  mkdirSync(home);
  symlinkSync(target, join(home, 'data-folder'));
  writeFileSync(join(dataDir, 'postgres-is-in'), `${home}\n`);
  chownSync(join(dataDir, 'postgres-is-in'), OWNER, OWNER);
  expect(() => placeCluster(dataDir, () => {})).toThrow(/postgres-is-in names .*remove/);
  expectTargetUntouched();
});

asRoot('in a folder of root’s own, a link that root has placed is followed', () => {
  chownSync(dataDir, 0, 0);
  symlinkSync(target, join(dataDir, 'secret-key'));
  expect(findSecretKey(config())).toBe(SECRET);
});

test('no code of the server changes an owner or a mode by a path that its owner could swap', () => {
  const server = join(import.meta.dirname, '..');
  const byPath = globSync('**/*.ts', { cwd: server })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /\b(?:l?chown|l?chmod)(?:Sync)?\(/.test(readFileSync(join(server, file), 'utf8')));
  // Root's own folder of binaries, which is copied where only root writes.
  expect(byPath).toEqual(['embedded/find-binaries.ts']);
});
