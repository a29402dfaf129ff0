import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { OperatorError } from '@mxproof/server/operator-error';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_INSTALLATION, unitFile, unitPath } from '../systemd/systemd-units.ts';
import { noteBesideService, refuseBesideService } from './installed-service.ts';

const WORDS = ['account', 'create', '--name', 'Our shop'];
const PROGRAM = { node: '/usr/bin/node', launcher: '/usr/bin/mxproof' };
let root: string;
let dataDir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mxproof-root-'));
  dataDir = join(root, 'home/data');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const run = (settings: Readonly<Record<string, string>> = {}) =>
  refuseBesideService({ settings, dataDir, words: WORDS }, root);

test.each([
  'serve',
  'work',
] as const)('a shell without settings is sent to the installed service: %s', (role) => {
  run();
  write(unitPath(role), unitFile(role, DEFAULT_INSTALLATION, PROGRAM).text);
  expect(noteBesideService({ settings: {}, dataDir, words: ['doctor'] }, root)).toBe(
    'A service is installed on this machine, with settings of its own: "sudo mxproof service run doctor" looks at those.',
  );
  expect(() => run({ MXPROOF_DATA_DIR: '' })).toThrow(
    new OperatorError(
      `A service is installed on this machine: run "sudo mxproof service run account create --name 'Our shop'", or set MXPROOF_DATA_DIR or DATABASE_URL for another store.`,
    ),
  );
});

test('a shell that names a store, or has one, is left alone', () => {
  write(unitPath('serve'), unitFile('serve', DEFAULT_INSTALLATION, PROGRAM).text);
  run({ MXPROOF_DATA_DIR: '/var/lib/mxproof' });
  run({ DATABASE_URL: 'postgresql://db.example.com/mxproof' });
  mkdirSync(dataDir, { recursive: true });
  run();
});

test('a unit that an operator wrote is none that "service run" could use', () => {
  write(unitPath('serve'), '[Service]\nExecStart=/usr/bin/mxproof serve\n');
  run();
});
