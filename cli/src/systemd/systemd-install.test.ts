import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@mxproof/server/operator-error';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UsageError } from '../shared/usage-error.ts';
import { refuseWorkerWithoutDatabase, serviceInstall } from './systemd-install.ts';
import { refuseUnstable } from './systemd-program.ts';
import { serviceUninstall } from './systemd-uninstall.ts';
import {
  foldersFile,
  readFolder,
  SETTINGS_FILE,
  settingsFile,
  unitFile,
  unitPath,
  usersFile,
} from './systemd-units.ts';

const PROGRAM = { node: '/usr/bin/node', launcher: '/usr/lib/node_modules/mxproof/bin/mxproof.mjs' };
const OPTIONS = { checks: true, start: true };
let root: string;
const said: string[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mxproof-root-'));
  said.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

/** Every file below the root, with its mode and its bytes. */
function files(): Record<string, [string, string]> {
  const all = globSync('**/*', { cwd: root }).filter((path) => statSync(join(root, path)).isFile());
  return Object.fromEntries(
    all.map((path) => [
      `/${path}`,
      [(statSync(join(root, path)).mode & 0o7777).toString(8), readFileSync(join(root, path), 'utf8')],
    ]),
  );
}
const install = (options = {}) => serviceInstall({ ...OPTIONS, root, ...options }, PROGRAM);

test('install writes the files it has shown, byte for byte, and nothing else', async () => {
  const installation = { user: 'checker', folder: readFolder('/srv/mail checks') };
  const role = 'all';
  await install({ ...installation, role, dryRun: true, json: true });
  expect(files()).toEqual({});
  const shown = (JSON.parse(said.join('')) as { files: { path: string; text: string; mode: number }[] })
    .files;
  await install({ ...installation, role });
  const expected = [
    usersFile(installation),
    foldersFile(installation),
    settingsFile(),
    unitFile('serve', installation, PROGRAM),
    unitFile('work', installation, PROGRAM),
  ];
  expect(shown).toEqual(expected);
  expect(files()).toEqual(
    Object.fromEntries(expected.map(({ path, text, mode }) => [path, [mode.toString(8), text]])),
  );
});

test('a second install changes what differs, and keeps settings, folder, user and the other unit', async () => {
  await install({ folder: '/srv/mxproof', user: 'checker', role: 'work' });
  writeFileSync(join(root, SETTINGS_FILE), 'PORT=8081\n');
  const before = files();
  said.length = 0;
  await install();
  expect(said.join('')).toMatch(/^created +\/etc\/systemd\/system\/mxproof\.service$/m);
  expect(files()).toMatchObject(before);
  const both = files();
  await serviceInstall({ ...OPTIONS, root }, { ...PROGRAM, node: '/opt/node/bin/node' });
  const { [unitPath('serve')]: service, [unitPath('work')]: worker, ...rest } = files();
  expect(both).toMatchObject(rest);
  for (const [, text] of [service!, worker!]) {
    expect(text).toContain('ExecStart=/opt/node/bin/node ');
    expect(text).toContain('User=checker\n');
  }
  await expect(install({ folder: '/srv/other' })).rejects.toThrow(UsageError);
  await expect(install({ user: 'other' })).rejects.toThrow(UsageError);
});

test.each([
  ['no file of settings', null],
  ['a file as "service install" makes it', settingsFile().text],
  ['an empty DATABASE_URL', 'DATABASE_URL=\nMXPROOF_SECRET_KEY=secret\n'],
  ['one of spaces', 'DATABASE_URL="  "\n'],
])('a worker is not installed with %s; the service alone is', (_, text) => {
  mkdirSync(join(root, SETTINGS_FILE, '..'), { recursive: true });
  if (text !== null) writeFileSync(join(root, SETTINGS_FILE), text);
  for (const role of ['work', 'all'] as const)
    expect(() => refuseWorkerWithoutDatabase(root, role)).toThrow(
      new OperatorError(
        'A worker needs the PostgreSQL that the service uses: write DATABASE_URL and MXPROOF_SECRET_KEY, as the service has them, into /etc/mxproof/environment (mode 600), then run this again.',
      ),
    );
  refuseWorkerWithoutDatabase(root, 'serve');
  writeFileSync(join(root, SETTINGS_FILE), `${text ?? ''}DATABASE_URL=postgresql://db.example.com/mxproof\n`);
  refuseWorkerWithoutDatabase(root, 'work');
});

test('uninstall removes what install wrote, keeps data and settings, and says how to delete them', async () => {
  await install({ folder: '/srv/mail checks' });
  mkdirSync(join(root, 'srv/mail checks'), { recursive: true });
  writeFileSync(join(root, 'srv/mail checks/secret-key'), 'secret');
  said.length = 0;
  await serviceUninstall({ root });
  expect(Object.keys(files()).sort()).toEqual(['/etc/mxproof/environment', '/srv/mail checks/secret-key']);
  expect(said.join('')).toContain("rm -r '/srv/mail checks' /etc/mxproof && userdel mxproof\n");
  await expect(serviceUninstall({ root })).rejects.toThrow('There is no service to remove');
});

test('a unit that an operator wrote is neither replaced nor removed', async () => {
  const path = join(root, unitPath('serve'));
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '[Service]\nExecStart=/usr/bin/mxproof serve\n');
  await expect(install()).rejects.toThrow('is not from "mxproof service install"');
  await expect(serviceUninstall({ root })).rejects.toThrow('is not from "mxproof service install"');
  expect(readFileSync(path, 'utf8')).toContain('ExecStart=/usr/bin/mxproof serve');
  expect(Object.keys(files())).toEqual([unitPath('serve')]);
});

test.each([
  ['/root/.npm/_npx/0123abcd/node_modules/mxproof/bin/mxproof.mjs', 'npm install -g mxproof'],
  ['/home/ann/mxproof/cli/bin/mxproof.mjs', 'hides home folders'],
  ['/tmp/mxproof/cli/bin/mxproof.mjs', 'hides home folders'],
  ['/opt/a"b/mxproof.mjs', 'A unit cannot hold the path'],
  ['/opt/a\nb/mxproof.mjs', 'A unit cannot hold the path'],
])('a command at %j is not installed', (launcher, why) => {
  expect(() => refuseUnstable({ ...PROGRAM, launcher })).toThrow(OperatorError);
  expect(() => refuseUnstable({ ...PROGRAM, launcher })).toThrow(why);
});

const hasSystemd = existsSync('/run/systemd/system');
const isRoot = process.getuid?.() === 0;

test.skipIf(hasSystemd && isRoot).each([['install'], ['uninstall'], ['run', 'doctor', '--json']])(
  'without root or without systemd, "service %s" says so in one sentence',
  (...words) => {
    const launcher = join(import.meta.dirname, '../../bin/mxproof.mjs');
    const run = spawnSync(process.execPath, [launcher, 'service', ...words], { encoding: 'utf8' });
    expect({ status: run.status, stdout: run.stdout }).toEqual({ status: 1, stdout: '' });
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
    expect(run.stderr).toContain(
      hasSystemd ? 'needs root: run it with sudo.' : 'systemd does not run this machine',
    );
  },
);
