// A machine whose service is run by systemd: a command in a shell does not have that service's settings.
// Promise: such a command says how to reach the service, and makes no store beside it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@mxproof/server/operator-error';
import { shellWord } from '../systemd/systemd-tools.ts';
import { installationOf, SERVICE_ROLES, unitPath } from '../systemd/systemd-units.ts';

interface Shell {
  /** Its environment. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** The data folder that it would use. */
  readonly dataDir: string;
  /** The command, without `mxproof`. */
  readonly words: readonly string[];
}

/** `root`: of the file system; another one in tests. */
export function refuseBesideService(shell: Shell, root = '/'): void {
  const line = serviceLine(shell, root);
  if (line !== null)
    throw new OperatorError(
      `A service is installed on this machine: run "${line}", or set MXPROOF_DATA_DIR or DATABASE_URL for another store.`,
    );
}

/** For a command that only looks, and goes on; null: there is nothing to say. */
export function noteBesideService(shell: Shell, root = '/'): string | null {
  const line = serviceLine(shell, root);
  return (
    line && `A service is installed on this machine, with settings of its own: "${line}" looks at those.`
  );
}

/** The command that reaches the installed service; null: the shell names a store, has one, or no service is installed. */
function serviceLine({ settings, dataDir, words }: Shell, root: string): string | null {
  if (settings.MXPROOF_DATA_DIR || settings.DATABASE_URL || settings.DATABASE_URL_FILE || existsSync(dataDir))
    return null;
  if (!SERVICE_ROLES.some((role) => isOurs(join(root, unitPath(role))))) return null;
  return ['sudo mxproof service run', ...words.map(shellWord)].join(' ');
}

/** "service run" knows only units that "service install" has written. */
function isOurs(path: string): boolean {
  try {
    return installationOf(readFileSync(path, 'utf8')) !== null;
  } catch {
    return false;
  }
}
