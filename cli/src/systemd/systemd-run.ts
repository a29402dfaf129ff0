// service run: a command as the service would run it: as its user, with its settings.
// Promise: root's rights and environment do not reach the command; its exit status is this one's.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { OperatorError } from '@mxproof/server/operator-error';
import { sudoUser, terminalSettings } from '../shared/environment.ts';
import { UsageError } from '../shared/usage-error.ts';
import { parseEnvironmentFile } from './environment-file.ts';
import { OWN_PROGRAM } from './systemd-program.ts';
import { idOf, readInstallation, refuseWithout } from './systemd-tools.ts';
import {
  CREDENTIALS,
  credentialFile,
  loadedCredential,
  SERVICE_ROLES,
  SETTINGS_FILE,
  unitEnvironment,
} from './systemd-units.ts';

export async function serviceRun(words: readonly string[]): Promise<number> {
  if (words.length === 0)
    throw new UsageError('Missing required argument <command>, such as "account link 1".');
  refuseWithout('run');
  const installation = readInstallation('/');
  if (installation === null)
    throw new OperatorError('No service is installed on this machine: run "mxproof service install" first.');
  const { user, folder } = installation;
  const set = parseEnvironmentFile(readFileSync(SETTINGS_FILE, 'utf8'));
  const env = {
    ...terminalSettings(),
    HOME: folder,
    USER: user,
    LOGNAME: user,
    // Who it was is in the audit trail.
    SUDO_USER: sudoUser() ?? undefined,
    ...unitEnvironment(installation),
    ...credentials(set),
    ...set,
  };
  const ids = { uid: idOf(user, '-u'), gid: idOf(user, '-g') };
  const child = spawn(OWN_PROGRAM.node, [OWN_PROGRAM.launcher, ...words], { ...ids, env, stdio: 'inherit' });
  // Ctrl-C reaches both: the command decides what it means.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new OperatorError(`Cannot run as ${user}: ${error.message}.`)));
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/** Those of the running service, else those that its next start would find; what the settings have comes first. */
function credentials(set: Readonly<Record<string, string>>): Record<string, string> {
  const missing = CREDENTIALS.filter((name) => !set[name] && !set[`${name}_FILE`]);
  const found = missing.flatMap((name) => {
    const paths = [...SERVICE_ROLES.map((role) => loadedCredential(role, name)), credentialFile(name)];
    const path = paths.find((each) => existsSync(each));
    return path === undefined ? [] : [[name, readFileSync(path, 'utf8').trim()] as const];
  });
  return Object.fromEntries(found);
}
