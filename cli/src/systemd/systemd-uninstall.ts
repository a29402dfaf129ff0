// service uninstall: the units go, the data stays.
// Promise: removes nothing but what install wrote; keeps data, settings and user, and says where they are.

import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '@mxproof/server/operator-error';
import { printJson, printLine } from '../shared/print.ts';
import { readInstallation, readUnit, refuseWithout, shellWord, tool } from './systemd-tools.ts';
import {
  FOLDERS_FILE,
  SERVICE_ROLES,
  SETTINGS_FILE,
  UNIT_NAMES,
  USERS_FILE,
  unitPath,
} from './systemd-units.ts';

export async function serviceUninstall({ root: given, json }: { root?: string; json?: boolean }) {
  const root = given ?? '/';
  const isLive = given === undefined;
  if (isLive) refuseWithout('uninstall');
  const roles = SERVICE_ROLES.filter((role) => readUnit(root, role) !== null);
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
