// service install: MXProof as a service of systemd.
// Promise: a second install changes only what differs, and never the settings, the user or the folder.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '@mxproof/server/operator-error';
import { printJson, printLine } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { parseEnvironmentFile } from './environment-file.ts';
import { OWN_PROGRAM, refuseUnstable, tryProgram } from './systemd-program.ts';
import { idOf, readInstallation, readUnit, refuseWithout, shellWord, tool } from './systemd-tools.ts';
import {
  credentialFile,
  DEFAULT_INSTALLATION,
  FOLDERS_FILE,
  foldersFile,
  type Installation,
  SERVICE_ROLES,
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

/** `program`: another than this one, for tests. */
export async function serviceInstall(options: InstallOptions, program = OWN_PROGRAM): Promise<void> {
  const root = options.root ?? '/';
  const isLive = options.root === undefined;
  if (isLive && options.dryRun !== true) {
    refuseWithout('install');
    refuseWorkerWithoutDatabase(root, options.role ?? 'serve');
  }
  refuseUnstable(program);
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
  return SERVICE_ROLES.filter((each) => role === 'all' || role === each || readUnit(root, each) !== null);
}

/** Asked before anything is written. What is only shown, or packed for another machine, gets its settings there. */
export function refuseWorkerWithoutDatabase(root: string, role: ServiceRole | 'all'): void {
  if (role !== 'serve' && !hasDatabase(root))
    throw new OperatorError(
      `A worker needs the PostgreSQL that the service uses: write DATABASE_URL and MXPROOF_SECRET_KEY, as the service has them, into ${SETTINGS_FILE} (mode 600), then run this again.`,
    );
}

function hasDatabase(root: string): boolean {
  if (existsSync(join(root, credentialFile('DATABASE_URL')))) return true;
  const path = join(root, SETTINGS_FILE);
  if (!existsSync(path)) return false;
  const { DATABASE_URL, DATABASE_URL_FILE } = parseEnvironmentFile(readFileSync(path, 'utf8'));
  return Boolean(DATABASE_URL?.trim() || DATABASE_URL_FILE?.trim());
}

/** One that is there already is not ours to declare. */
function needsUser(root: string, { user }: Installation): boolean {
  if (existsSync(join(root, USERS_FILE))) return true;
  return root !== '/' || spawnSync('id', ['-u', user]).status !== 0;
}

/** systemd would give all of it to the service's user. */
function refuseForeignFolder({ user, folder }: Installation): void {
  if (!existsSync(folder)) return;
  const { uid } = statSync(folder);
  const isOurs = uid === idOf(user, '-u') || readdirSync(folder).length === 0;
  if (!isOurs)
    throw new OperatorError(
      `${folder} is there already, and not of the user ${user}: pass another folder with --folder, or change its owner (chown -R ${user} ${shellWord(folder)}).`,
    );
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
  return roles.map((role) => {
    const unit = UNIT_NAMES[role];
    const isRunning = spawnSync('systemctl', ['is-active', '--quiet', unit]).status === 0;
    const isChanged = changes.some(({ path, change }) => path === unitPath(role) && change === 'changed');
    if (isRunning) return { unit, state: isChanged ? 'needs restart' : 'running' };
    if (role === 'work' && !hasDatabase(root)) return { unit, state: 'needs a database' };
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
