// What the commands for systemd share: what is installed, and the tools of the machine.
// Promise: a tool that fails or hangs is an OperatorError with its first line.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@mxproof/server/operator-error';
import {
  type Installation,
  installationOf,
  SERVICE_ROLES,
  type ServiceRole,
  unitPath,
} from './systemd-units.ts';

const TOOL_LIMIT_MS = 120_000;

export function refuseWithout(verb: string): void {
  if (process.platform !== 'linux' || !existsSync('/run/systemd/system'))
    throw new OperatorError(
      'systemd does not run this machine: start "mxproof serve" by what does, as docs/guide/operate.md says.',
    );
  if (process.getuid?.() !== 0)
    throw new OperatorError(`"mxproof service ${verb}" needs root: run it with sudo.`);
}

/** What is installed; null: nothing of this command. */
export function readInstallation(root: string): Installation | null {
  for (const role of SERVICE_ROLES) {
    const unit = readUnit(root, role);
    if (unit !== null) return installationOf(unit);
  }
  return null;
}

/** Refuses one that an operator wrote by hand. */
export function readUnit(root: string, role: ServiceRole): string | null {
  const path = join(root, unitPath(role));
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  if (installationOf(text) === null)
    throw new OperatorError(`${path} is not from "mxproof service install": move it away first.`);
  return text;
}

export function idOf(user: string, flag: '-u' | '-g'): number {
  const id = Number.parseInt(tool('id', flag, user), 10);
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new OperatorError(`The user ${user} has no number of its own.`);
  return id;
}

/** @returns what it printed */
export function tool(name: string, ...args: string[]): string {
  const run = spawnSync(name, args, { encoding: 'utf8', timeout: TOOL_LIMIT_MS });
  if (run.status === 0) return run.stdout;
  const [why = ''] = (run.error?.message ?? run.stderr).trim().split('\n');
  throw new OperatorError(`"${[name, ...args].join(' ')}" failed: ${why || `exit status ${run.status}`}`);
}

/** Of a path that units can hold. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text}'`;
}
