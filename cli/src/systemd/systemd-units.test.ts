import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readConfig } from '@mxproof/server/config';
import { describeSettings } from '@mxproof/server/describe-settings';
import { afterAll, expect, test } from 'vitest';
import { isSecret, SERVICE_SETTINGS } from '../../../server/src/settings/settings.ts';
import { UsageError } from '../shared/usage-error.ts';
import { parseEnvironmentFile } from './environment-file.ts';
import {
  DEFAULT_INSTALLATION,
  foldersFile,
  installationOf,
  readFolder,
  readUser,
  SERVICE_ROLES,
  settingsFile,
  UNIT_NAMES,
  unitFile,
  usersFile,
} from './systemd-units.ts';

const PROGRAM = { node: '/usr/bin/env', launcher: '/usr/lib/node_modules/mxproof/bin/mxproof.mjs' };
const isThere = spawnSync('systemd-analyze', ['--version']).status === 0;
const isSkipped = !isThere && process.env.MXPROOF_REQUIRE_EXTRAS !== '1';
const work = mkdtempSync(join(tmpdir(), 'mxproof-units-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Directives in the order of the file, several of one name included. */
function directives(unit: string): [string, string][] {
  return [...unit.matchAll(/^([A-Z]\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]);
}

test.each(SERVICE_ROLES)('the unit to %s confines the service and stops it in order', (role) => {
  const { text, path } = unitFile(role, DEFAULT_INSTALLATION, PROGRAM);
  expect(path).toBe(`/etc/systemd/system/${UNIT_NAMES[role]}`);
  const all = Object.fromEntries(directives(text));
  expect(all).toMatchObject({
    ExecStart: `${PROGRAM.node} ${PROGRAM.launcher} ${role}`,
    User: 'mxproof',
    ExecReload: '/bin/kill -HUP $MAINPID',
    EnvironmentFile: '/etc/mxproof/environment',
    StateDirectory: 'mxproof',
    StateDirectoryMode: '0700',
    Restart: 'always',
    KillMode: 'mixed',
    KillSignal: 'SIGTERM',
    TimeoutStopSec: '20s',
    OOMPolicy: 'continue',
    LimitNOFILE: '65536',
    UMask: '0077',
    NoNewPrivileges: 'yes',
    CapabilityBoundingSet: '',
    ProtectSystem: 'strict',
    ProtectHome: 'yes',
    PrivateTmp: 'yes',
    PrivateDevices: 'yes',
    ProtectProc: 'invisible',
    RestrictAddressFamilies: 'AF_UNIX AF_INET AF_INET6 AF_NETLINK',
    RestrictNamespaces: 'yes',
    SystemCallFilter: '@system-service',
    RemoveIPC: 'no',
    WantedBy: 'multi-user.target',
  });
  expect(directives(text).filter(([name]) => name === 'Environment')).toEqual([
    ['Environment', 'MXPROOF_DATA_DIR=/var/lib/mxproof'],
    ['Environment', 'MXPROOF_SHOW_FIRST_KEY=0'],
  ]);
  // Each secret may come as a credential, and no other setting.
  const secrets = SERVICE_SETTINGS.filter(isSecret).map(({ name }) => `${name}:mxproof.${name}`);
  const loaded = directives(text).filter(([name]) => name === 'LoadCredential');
  expect(loaded.map(([, value]) => value).sort()).toEqual(secrets.sort());
  // V8 compiles at run time.
  expect(all).not.toHaveProperty('MemoryDenyWriteExecute');
  expect(installationOf(text)).toEqual(DEFAULT_INSTALLATION);
});

test('without checks only HTTP is served', () => {
  const { text } = unitFile('serve', DEFAULT_INSTALLATION, PROGRAM, { checks: false });
  expect(text).toContain(`${PROGRAM.launcher} serve --no-checks\n`);
});

test('every setting that the file of settings proposes is one, and its value is valid', () => {
  const proposed = parseEnvironmentFile(settingsFile().text.replaceAll(/^#(?=\w+=)/gm, ''));
  expect(Object.keys(proposed).length).toBeGreaterThan(5);
  const known = describeSettings({}).settings.map(({ name }) => name);
  expect(Object.keys(proposed).filter((name) => !known.includes(name))).toEqual([]);
  expect(() => readConfig({ MXPROOF_DATA_DIR: work, ...proposed })).not.toThrow();
  // As it is created, it sets nothing.
  expect({ ...parseEnvironmentFile(settingsFile().text) }).toEqual({});
  expect(settingsFile().mode).toBe(0o600);
});

test.each([
  'relative',
  '/srv/../etc',
  '/srv//data',
  '/srv/./data',
  '/',
  '/srv/a\nb',
  '/srv/a"b',
  "/srv/a'b",
  '/srv/a\\b',
  '/home/ann/data',
  '/tmp',
  '/var/tmp/data',
  '/run/data',
])('the data folder cannot be %j', (path) => {
  expect(() => readFolder(path)).toThrow(UsageError);
});

test.each([
  'root',
  '',
  '0',
  'Ann',
  'a b',
  'a:b',
  '-x',
  'a\nb',
  'x'.repeat(40),
])('the user cannot be %j', (name) => {
  expect(() => readUser(name)).toThrow(UsageError);
});

/** A machine's files, in a folder. */
function lay(root: string, files: readonly { path: string; text: string }[]): void {
  for (const { path, text } of files) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Verified and rated by the machine's own systemd. */
function analyze(...args: string[]): { status: number | null; output: string } {
  const run = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { status: run.status, output: `${run.error ?? ''}${run.stdout}${run.stderr}` };
}

test.skipIf(isSkipped).each(SERVICE_ROLES)(
  'systemd takes the unit to %s without a word, and rates it',
  (role) => {
    const folder = mkdtempSync(join(work, 'verify-'));
    const file = join(folder, UNIT_NAMES[role]);
    writeFileSync(file, unitFile(role, DEFAULT_INSTALLATION, PROGRAM).text);
    const { status, output } = analyze('verify', '--man=no', '--recursive-errors=no', file);
    expect({ status, about: output.split('\n').filter((line) => line.includes('mxproof')) }).toEqual({
      status: 0,
      about: [],
    });
    // In tenths; what is left is what a service on the network cannot do without.
    const rating = analyze('security', '--offline=true', '--no-pager', '--threshold=20', file);
    console.log(rating.output.trim().split('\n').at(-1));
    expect(rating.output).toMatch(/Overall exposure level for mxproof.*: 1\.\d OK/);
    expect(rating.status).toBe(0);
  },
);

test.skipIf(isSkipped)('paths with spaces, percent and dollar signs are what systemd reads back', () => {
  const root = mkdtempSync(join(work, 'hostile-'));
  const odd = join(root, 'a b %n $HOME é;#');
  mkdirSync(odd);
  const program = { node: join(odd, 'node'), launcher: join(odd, 'mxproof.mjs') };
  copyFileSync('/bin/true', program.node);
  chmodSync(program.node, 0o755);
  const installation = { user: 'mxproof', folder: `${odd}/data %h` };
  const unit = unitFile('serve', installation, program);
  const file = join(root, 'mxproof.service');
  writeFileSync(file, unit.text);
  // It names a program that it does not find.
  const verified = analyze('verify', '--man=no', '--recursive-errors=no', file);
  expect(verified.output.split('\n').filter((line) => line.includes('mxproof'))).toEqual([]);
  expect(verified.status).toBe(0);
  rmSync(program.node);
  expect(analyze('verify', '--man=no', '--recursive-errors=no', file).output).toContain(program.node);
  expect(unit.text).toContain(`ReadWritePaths="${installation.folder.replaceAll('%', '%%')}"\n`);
  expect(installationOf(unit.text)).toEqual(installation);
});

test.skipIf(isSkipped || process.getuid?.() !== 0)('systemd makes the user and the folder', () => {
  const root = mkdtempSync(join(work, 'machine-'));
  const installation = { user: 'mxproof', folder: '/srv/a b %n $HOME' };
  lay(root, [
    { path: '/etc/passwd', text: '' },
    { path: '/etc/group', text: '' },
    usersFile(installation),
    foldersFile(installation),
  ]);
  const make = (name: string, ...args: string[]) =>
    expect(spawnSync(name, [`--root=${root}`, ...args], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: expect.not.stringMatching(/fail|invalid/i),
    });
  make('systemd-sysusers');
  const [user, , uid, , , , shell] = readFileSync(join(root, 'etc/passwd'), 'utf8').trim().split(':');
  expect([user, shell]).toEqual(['mxproof', expect.stringContaining('nologin')]);
  make('systemd-tmpfiles', '--create');
  const made = statSync(join(root, installation.folder));
  expect([made.uid, made.mode & 0o7777]).toEqual([Number(uid), 0o700]);
});
