// Variables that begin as ours do and that nothing reads: most are misspelt, and their setting is not in effect.
// Promise: a sentence names the variable and the one that may have been meant, never its value.

import { slips } from '@mxproof/common/slips';
import { fileVariableOf } from './secret-file.ts';
import { ALL_SETTINGS, COMPOSE_VARIABLES, isSecret } from './settings.ts';

const NAMES = ALL_SETTINGS.flatMap((setting) =>
  isSecret(setting) ? [setting.name, fileVariableOf(setting.name)] : setting.name,
);
const PREFIX = 'MXPROOF_';
const MAX_WARNINGS = 10;
const MAX_NAME_CHARACTERS = 64;
/** Behind the prefix. A word left out or put in is more than a slip, but begins or ends the same. */
const MAX_SLIPS = 3;

export interface UnknownSetting {
  readonly name: string;
  /** The setting that may have been meant. */
  readonly meant: string | null;
}

export function unknownNames(env: Readonly<Record<string, string | undefined>>): UnknownSetting[] {
  const known = new Set([...NAMES, ...COMPOSE_VARIABLES]);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name))
    .sort()
    .slice(0, MAX_WARNINGS)
    .map((name) => ({
      name: name.slice(0, MAX_NAME_CHARACTERS).replace(/[^ -~]/g, '?'),
      meant: nearest(name.slice(0, MAX_NAME_CHARACTERS)),
    }));
}

export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return unknownNames(env).map(
    ({ name, meant }) =>
      `${name} is not a setting of MXProof and has no effect${meant ? `: did you mean ${meant}?` : '.'}`,
  );
}

function nearest(name: string): string | null {
  let best: string | null = null;
  let fewest = MAX_SLIPS + 1;
  for (const known of NAMES) {
    if (!known.startsWith(PREFIX)) continue;
    const found = slips(name, known, MAX_SLIPS);
    if (found !== null && found < fewest) [best, fewest] = [known, found];
  }
  return best;
}
