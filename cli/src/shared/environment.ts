// What commands take from the environment and the configuration file: the only file of cli/src that reads them.

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type Environment, withConfigFile } from '@mxproof/server/config-file';
import { secretValue } from '@mxproof/server/secret-file';

export type Variable = 'MXPROOF_API_KEY' | 'MXPROOF_URL' | 'MXPROOF_WEBHOOK_SECRET';

/** Empty counts as unset; `MXPROOF_API_KEY_FILE` and the like name a file with the value. */
export function variable(name: Variable): string | null {
  return secretValue(serviceSettings(), name);
}

let configFile: string | null = null;
let settings: Environment | null = null;

/** As `--config` has it: before MXPROOF_CONFIG. */
export function useConfigFile(path: string): void {
  configFile = path;
  settings = null;
}

/** For the server's `readConfig`. Read once, so that all parts of a command see the same. */
export function serviceSettings(): Environment {
  settings ??= withConfigFile(process.env, configFile);
  return settings;
}

/** As they are now. */
export function freshSettings(): Environment {
  return withConfigFile(process.env, configFile);
}

/** For a command run as another user: what is about the terminal, and nothing about who sits there. */
export function terminalSettings(): Readonly<Record<string, string | undefined>> {
  const { PATH, TERM, LANG, LC_ALL, NO_COLOR } = process.env;
  return { PATH, TERM, LANG, LC_ALL, NO_COLOR };
}

/** Who ran `sudo`, which says so; null: it was not used. For the audit trail, and for nothing that is allowed or refused. */
export function sudoUser(): string | null {
  return process.env.SUDO_USER || null;
}

/** https://no-color.org: any value but an empty one. */
export function refusesColours(): boolean {
  return Boolean(process.env.NO_COLOR) || process.env.TERM === 'dumb';
}

export function wantsStacks(): boolean {
  return process.env.LOG_LEVEL === 'debug';
}

/** The user's configuration folder. */
export function configFolder(): string {
  return join(xdgFolder('XDG_CONFIG_HOME', '.config'), 'mxproof');
}

/** The user's folder for what is kept between runs. */
export function stateFolder(): string {
  return join(xdgFolder('XDG_STATE_HOME', '.local/state'), 'mxproof');
}

/** As the XDG specification says: a relative path is not one. */
function xdgFolder(name: 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME', below: string): string {
  const given = process.env[name] ?? '';
  return isAbsolute(given) ? given : join(homedir(), below);
}
