// The program that units start: this very one, where it will still be tomorrow.
// Promise: what the service could not see or run is refused before a unit names it.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '@mxproof/server/operator-error';
import { idOf } from './systemd-tools.ts';
import { type Installation, isHidden, isWritable, type Program } from './systemd-units.ts';

const TRY_LIMIT_MS = 60_000;

export const OWN_PROGRAM: Program = {
  node: process.execPath,
  launcher: fileURLToPath(new URL('../../bin/mxproof.mjs', import.meta.url)),
};

export function refuseUnstable(program: Program): void {
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
}

/** As the service's user, before the unit fails at it. */
export function tryProgram({ user }: Installation, { node, launcher }: Program): void {
  const ids = { uid: idOf(user, '-u'), gid: idOf(user, '-g') };
  const run = spawnSync(node, [launcher, '--version'], { ...ids, cwd: '/', env: {}, timeout: TRY_LIMIT_MS });
  if (run.status !== 0)
    throw new OperatorError(
      `The user ${user} cannot run ${node} ${launcher}: make both readable for all users, and the folders above them.`,
    );
}
