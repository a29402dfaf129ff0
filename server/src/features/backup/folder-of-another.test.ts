// `mxproof backup` run by root in the folder of another user, who swaps files while it runs. A real store, and a real process
// of that user's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../test/service.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { readConfig } from '../../settings/config.ts';
import { backupToFile } from './backup-to-file.ts';

const asRoot = test.skipIf(process.getuid?.() !== 0);
/** `nobody` on Debian; any number will do. */
const OWNER = 65_534;
const ROUNDS = 10;

let s: TestService;
let folder: string;
let theirs: string;
let target: string;
beforeEach(async () => {
  s = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'mxproof-theirs-'));
  chmodSync(folder, 0o755);
  theirs = join(folder, 'theirs');
  mkdirSync(theirs, { mode: 0o755 });
  chownSync(theirs, OWNER, OWNER);
  target = join(folder, 'target');
});
afterEach(async () => {
  await s.close();
  rmSync(folder, { recursive: true });
});

const config = () => readConfig({ MXPROOF_DATA_DIR: join(folder, 'data'), MXPROOF_SECRET_KEY: 'test' });
const backUp = (name: string) =>
  backupToFile({ actor: THE_SERVICE, db: s.db, config: config(), file: join(theirs, name) });

asRoot('the file of erasures is the folder’s owner’s, for that user alone', async () => {
  await backUp('own.backup');
  expect(statSync(join(theirs, 'erasures'))).toMatchObject({ uid: OWNER, gid: OWNER });
  expect(statSync(join(theirs, 'erasures')).mode & 0o777).toBe(0o600);
  expect(statSync(join(theirs, 'own.backup'))).toMatchObject({ uid: 0, gid: 0 });
  // A second one adds to it, although it is another user's by now.
  await backUp('next.backup');
});

asRoot('a link to a file that is not there makes no file of the owner’s there', async () => {
  symlinkSync(target, join(theirs, 'erasures'));
  await expect(backUp('own.backup')).rejects.toThrow(/erasures is a link/);
  expect(() => lstatSync(target)).toThrow('ENOENT');
});

asRoot('a link to a file of root’s is neither added to nor given away', async () => {
  await s.db.query(
    `INSERT INTO mxproof.erasures (key_id, hash, done_at, up_to_list) VALUES ('0123456789abcdef', sha256('x'), now(), 0)`,
  );
  writeFileSync(target, '', { mode: 0o600 });
  for (const place of [symlinkSync, linkSync]) {
    place(target, join(theirs, 'erasures'));
    await expect(backUp(`${place.name}.backup`)).rejects.toThrow(/erasures is a link/);
    expect(readFileSync(target, 'utf8')).toBe('');
    expect(statSync(target)).toMatchObject({ uid: 0, gid: 0 });
    rmSync(join(theirs, 'erasures'));
  }
});

asRoot('an owner who swaps the file for a link while it is written gets nothing of root’s', async () => {
  writeFileSync(target, 'root’s', { mode: 0o600 });
  const swaps = `
    const fs = require('node:fs');
    const [file, target] = process.argv.slice(1);
    process.send('ready');
    for (;;) {
      try {
        if (!fs.lstatSync(file).isFile()) continue;
        fs.renameSync(file, file + '.swapped');
        fs.symlinkSync(target, file);
      } catch {}
    }`;
  const owner = spawn(process.execPath, ['-e', swaps, join(theirs, 'erasures'), target], {
    uid: OWNER,
    gid: OWNER,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  try {
    await once(owner, 'message');
    for (let round = 0; round < ROUNDS; round++) {
      await backUp(`${round}.backup`).catch(() => {});
      expect(statSync(target), `round ${round}`).toMatchObject({ uid: 0, gid: 0 });
      rmSync(join(theirs, 'erasures'), { force: true });
    }
  } finally {
    owner.kill('SIGKILL');
  }
  expect(readFileSync(target, 'utf8')).toBe('root’s');
});
