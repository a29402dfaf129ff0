// service install and service uninstall: MXProof as a service of systemd.
// Promise: a second install changes only what differs and never the settings, the user or the folder; uninstall removes
// nothing but what install wrote, and keeps data, settings and user.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '@mxproof/server/operator-error';
import { parseEnvironmentFile } from './environment-file.ts';
import { printJson, printLine } from './print.ts';
import {
  DEFAULT_INSTALLATION,
  FOLDERS_FILE,
  foldersFile,
  type Installation,
  installationOf,
  isHidden,
  isWritable,
  type Program,
  SETTINGS_FILE,
  type ServiceFile,
  type ServiceRole,
  settingsFile,
  UNIT_NAMES,
  USERS_FILE,
  unitFile,
  unitPath,
  usersFile,
} from './systemd-units.ts';
import { UsageError } from './usage-error.ts';

const ROLES: readonly ServiceRole[] = ['serve', 'work'];
const TOOL_LIMIT_MS = 120_000;

interface InstallOptions {
  readonly role?: ServiceRole | 'all';
  readonly checks: boolean;
  readonly folder?: string;
  readonly user?: string;
  readonly start: boolean;
  readonly dryRun?: boolean;
  readonly root?: string;
  readonly json?: boolean;
}

type Change = 'created' | 'changed' | 'unchanged' | 'kept';

export async function serviceInstall(options: InstallOptions): Promise<void> {
  const root = options.root ?? '/';
  const isLive = options.root === undefined;
  if (isLive && options.dryRun !== true) refuseWithout('install');
  const program = stableProgram();
  const installation = chooseInstallation(root, options);
  const roles = chooseRoles(root, options.role ?? 'serve');
  const units = roles.map((role) => unitFile(role, installation, program, options));
  const user = needsUser(root, installation) ? [usersFile(installation)] : [];
  const files = [...user, foldersFile(installation), settingsFile(), ...units];
  if (options.dryRun === true) return showFiles(files, options.json === true);

  const write = (all: readonly ServiceFile[]) =>
    all.map(({ path, ...rest }) => ({ path, change: put(join(root, path), rest, path === SETTINGS_FILE) }));
  const changes = write(files.filter((file) => !units.includes(file)));
  if (isLive) {
    if (user.length > 0) tool('systemd-sysusers', USERS_FILE);
    refuseForeignFolder(installation);
    tool('systemd-tmpfiles', '--create', FOLDERS_FILE);
    tryProgram(installation, program);
  }
  changes.push(...write(units));
  const started = isLive ? startUnits(root, roles, options.start, changes) : [];
  if (options.json) return printJson({ ...installation, files: changes, started });
  for (const { path, change } of changes) printLine(`${change.padEnd(9)}  ${path}`);
  if (isLive) for (const line of nextSteps(roles, installation, started)) printLine(line);
}

export async function serviceUninstall({ root: given, json }: { root?: string; json?: boolean }) {
  const root = given ?? '/';
  const isLive = given === undefined;
  if (isLive) refuseWithout('uninstall');
  const roles = ROLES.filter((role) => readUnit(root, role) !== null);
  if (roles.length === 0)
    throw new OperatorError('There is no service to remove: "mxproof service install" has installed none.');
  const { user, folder } = readInstallation(root)!;
  if (isLive) tool('systemctl', 'disable', '--now', ...roles.map((role) => UNIT_NAMES[role]));
  const removed = [...roles.map(unitPath), FOLDERS_FILE, USERS_FILE].filter((path) =>
    existsSync(join(root, path)),
  );
  for (const path of removed) rmSync(join(root, path));
  if (isLive) tool('systemctl', 'daemon-reload');
  const kept = [folder, SETTINGS_FILE];
  if (json) return printJson({ removed, kept, user });
  for (const path of removed) printLine(`removed    ${path}`);
  for (const path of kept) printLine(`kept       ${path}`);
  const all = kept.map((path) => shellWord(path === SETTINGS_FILE ? dirname(path) : path)).join(' ');
  printLine(`The data and the user ${user} are still there. To delete all of it, for ever:`);
  printLine(`  rm -r ${all} && userdel ${user}`);
}

/** What is installed; null: nothing of this command. */
export function readInstallation(root: string): Installation | null {
  for (const role of ROLES) {
    const unit = readUnit(root, role);
    if (unit !== null) return installationOf(unit);
  }
  return null;
}

export function refuseWithout(verb: string): void {
  if (process.platform !== 'linux' || !existsSync('/run/systemd/system'))
    throw new OperatorError(
      'systemd does not run this machine: start "mxproof serve" by what does, as docs/guide/operate.md says.',
    );
  if (process.getuid?.() !== 0)
    throw new OperatorError(`"mxproof service ${verb}" needs root: run it with sudo.`);
}

/** Where this very program will still be tomorrow, and where the service can see it. */
function stableProgram(): Program {
  const program = {
    node: process.execPath,
    launcher: fileURLToPath(new URL('../bin/mxproof.mjs', import.meta.url)),
  };
  if (program.launcher.includes('/_npx/'))
    throw new OperatorError(
      'npx keeps programs in a cache that is emptied: run "npm install -g mxproof", then "mxproof service install".',
    );
  for (const path of Object.values(program)) {
    if (isHidden(path))
      throw new OperatorError(
        `The service could not see ${path}: its sandbox hides home folders and temporary ones. Install Node and MXProof for all users, such as below /usr/local or /opt.`,
      );
    if (!isWritable(path))
      throw new OperatorError(
        `A unit cannot hold the path ${JSON.stringify(path)}: install it where no quote, backslash or control character is in the path.`,
      );
  }
  return program;
}

/** What was chosen before holds: another folder or user would leave the data behind. */
function chooseInstallation(root: string, { folder, user }: InstallOptions): Installation {
  const known = readInstallation(root);
  const chosen = known ?? { ...DEFAULT_INSTALLATION, ...(user && { user }), ...(folder && { folder }) };
  if ((user !== undefined && user !== chosen.user) || (folder !== undefined && folder !== chosen.folder))
    throw new UsageError(
      `The service is installed for the user ${chosen.user} with its data in ${chosen.folder}: to change that, run "mxproof service uninstall" first, which keeps the data.`,
    );
  return chosen;
}

/** A unit that is there stays, whatever is added. */
function chooseRoles(root: string, role: ServiceRole | 'all'): readonly ServiceRole[] {
  return ROLES.filter((each) => role === 'all' || role === each || readUnit(root, each) !== null);
}

/** Refuses one that an operator wrote by hand. */
function readUnit(root: string, role: ServiceRole): string | null {
  const path = join(root, unitPath(role));
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  if (installationOf(text) === null)
    throw new OperatorError(`${path} is not from "mxproof service install": move it away first.`);
  return text;
}

/** One that is there already is not ours to declare. */
function needsUser(root: string, { user }: Installation): boolean {
  if (existsSync(join(root, USERS_FILE))) return true;
  return root !== '/' || spawnSync('getent', ['passwd', user]).status !== 0;
}

/** systemd would give all of it to the service's user. */
function refuseForeignFolder({ user, folder }: Installation): void {
  if (!existsSync(folder)) return;
  const { uid } = statSync(folder);
  const isOurs =
    uid === idOf(user, '-u') || (lstatSync(folder).isDirectory() && readdirSync(folder).length === 0);
  if (!isOurs)
    throw new OperatorError(
      `${folder} is there already, and not of the user ${user}: pass another folder with --folder, or change its owner (chown -R ${user} ${shellWord(folder)}).`,
    );
}

/** As the service's user, before the unit fails at it. */
function tryProgram({ user }: Installation, { node, launcher }: Program): void {
  const ids = { uid: idOf(user, '-u'), gid: idOf(user, '-g') };
  const run = spawnSync(node, [launcher, '--version'], { ...ids, cwd: '/', env: {}, timeout: TOOL_LIMIT_MS });
  if (run.status !== 0)
    throw new OperatorError(
      `The user ${user} cannot run ${node} ${launcher}: make both readable for all users, and the folders above them.`,
    );
}

export function idOf(user: string, flag: '-u' | '-g'): number {
  const id = Number.parseInt(tool('id', flag, user), 10);
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new OperatorError(`The user ${user} has no number of its own.`);
  return id;
}

/** Replaced as a whole or not at all. `isKept`: what is there stays as it is. */
function put(path: string, { text, mode }: Omit<ServiceFile, 'path'>, isKept: boolean): Change {
  const known = existsSync(path) ? readFileSync(path, 'utf8') : null;
  if (known !== null && isKept) return 'kept';
  if (known === text) return 'unchanged';
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, text, { mode, flag: 'wx' });
  // Whatever the umask.
  chmodSync(fresh, mode);
  renameSync(fresh, path);
  return known === null ? 'created' : 'changed';
}

/** Those that run go on with what they have. */
function startUnits(
  root: string,
  roles: readonly ServiceRole[],
  mayStart: boolean,
  changes: readonly { readonly path: string; readonly change: Change }[],
): { unit: string; state: 'started' | 'running' | 'needs restart' | 'not started' | 'needs a database' }[] {
  tool('systemctl', 'daemon-reload');
  tool('systemctl', 'enable', ...roles.map((role) => UNIT_NAMES[role]));
  const settings = parseEnvironmentFile(readFileSync(join(root, SETTINGS_FILE), 'utf8'));
  return roles.map((role) => {
    const unit = UNIT_NAMES[role];
    const isRunning = spawnSync('systemctl', ['is-active', '--quiet', unit]).status === 0;
    const isChanged = changes.some(({ path, change }) => path === unitPath(role) && change === 'changed');
    if (isRunning) return { unit, state: isChanged ? 'needs restart' : 'running' };
    if (role === 'work' && !settings.DATABASE_URL) return { unit, state: 'needs a database' };
    if (!mayStart) return { unit, state: 'not started' };
    tool('systemctl', 'start', unit);
    return { unit, state: 'started' };
  });
}

function nextSteps(
  roles: readonly ServiceRole[],
  { user, folder }: Installation,
  started: ReturnType<typeof startUnits>,
): string[] {
  const sentences = {
    started: (unit: string) => `${unit} is enabled and started.`,
    running: (unit: string) => `${unit} is running.`,
    'needs restart': (unit: string) => `${unit} is running as it was before: systemctl restart ${unit}`,
    'not started': (unit: string) => `${unit} is enabled. To start it: systemctl start ${unit}`,
    'needs a database': (unit: string) =>
      `${unit} needs a PostgreSQL of your own: set DATABASE_URL and MXPROOF_SECRET_KEY in ${SETTINGS_FILE}, then: systemctl start ${unit}`,
  } as const;
  const [first] = roles.map((role) => UNIT_NAMES[role].replace('.service', ''));
  return [
    `It runs as the user ${user}, with its data in ${folder}.`,
    ...started.map(({ unit, state }) => sentences[state](unit)),
    '',
    `  look at it      systemctl status ${first}`,
    `  read its log    journalctl -u ${first} -f`,
    `  settings        ${SETTINGS_FILE}, then: systemctl restart ${first}`,
    '  sign in         sudo mxproof service run account link 1',
    '  check it        sudo mxproof service run doctor',
  ];
}

function showFiles(files: readonly ServiceFile[], asJson: boolean): void {
  if (asJson) {
    printJson({ files });
    return;
  }
  for (const { path, text, mode } of files) {
    printLine(`==> ${path} (mode ${mode.toString(8)})`);
    printLine(text);
  }
}

/** @returns what it printed */
function tool(name: string, ...args: string[]): string {
  const run = spawnSync(name, args, { encoding: 'utf8', timeout: TOOL_LIMIT_MS });
  if (run.status === 0) return run.stdout;
  const [why = ''] = (run.error?.message ?? run.stderr).trim().split('\n');
  throw new OperatorError(`"${[name, ...args].join(' ')}" failed: ${why || `exit status ${run.status}`}`);
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text}'`;
}
