// Variables that begin as ours do and that nothing reads: most are misspelt, and their setting is not in effect.
// In a configuration file such a line is a mistake, whatever it begins with.
// Promise: a sentence names the variable and the one that may have been meant, never its value.

import { slips } from '@mxproof/common/slips';
import { type ConfigFile, configFileOf, type Environment, shown } from './config-file.ts';
import { fileVariableOf } from './secret-file.ts';
import { ALL_SETTINGS, COMPOSE_VARIABLES, isSecret } from './settings.ts';

const NAMES = ALL_SETTINGS.flatMap((setting) =>
  isSecret(setting) ? [setting.name, fileVariableOf(setting.name)] : setting.name,
);
const SECRETS = new Set(ALL_SETTINGS.filter(isSecret).map(({ name }) => name));
const PREFIX = 'MXPROOF_';
const MAX_WARNINGS = 10;
/** Behind the prefix. A word left out or put in is more than a slip, but begins or ends the same. */
const MAX_SLIPS = 3;

export interface UnknownSetting {
  readonly name: string;
  /** The setting that may have been meant. */
  readonly meant: string | null;
}

export function unknownNames(env: Environment): UnknownSetting[] {
  const known = new Set([...NAMES, ...COMPOSE_VARIABLES, ...Object.keys(configFileOf(env)?.values ?? {})]);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name))
    .sort()
    .slice(0, MAX_WARNINGS)
    .map((name) => ({ name: shown(name), meant: nearest(shown(name)) }));
}

/** Why a configuration file is refused, one sentence each. */
export function fileMistakes({ path, values, isOpenToAll, mistakes }: ConfigFile): string[] {
  const names = Object.keys(values);
  const unknown = names.filter((name) => !NAMES.includes(name)).slice(0, MAX_WARNINGS);
  const secrets = names.filter((name) => SECRETS.has(name) && values[name]?.trim());
  return [
    ...mistakes,
    ...unknown.map((name) => {
      const meant = nearest(shown(name));
      return `${shown(name)} in ${path} is not a setting of MXProof${meant ? `: did you mean ${meant}?` : '.'}`;
    }),
    ...(isOpenToAll && secrets.length > 0
      ? [
          `Every user of this machine can read ${path}, and ${secrets[0]} in it is a secret: run "chmod o-r ${path}".`,
        ]
      : []),
  ];
}

export function unknownSettings(env: Environment): string[] {
  return unknownNames(env).map(
    ({ name, meant }) =>
      `${name} is not a setting of MXProof and has no effect${meant ? `: did you mean ${meant}?` : '.'}`,
  );
}

function nearest(name: string): string | null {
  const upper = name.toUpperCase();
  const other = NAMES.find((known) => known === upper || known === `${PREFIX}${upper}`);
  if (other !== undefined) return other;
  let best: string | null = null;
  let fewest = MAX_SLIPS + 1;
  for (const known of NAMES) {
    // Of a short name, every other one is a few slips away.
    const found = slips(upper, known, known.startsWith(PREFIX) ? MAX_SLIPS : 1);
    if (found !== null && found < fewest) [best, fewest] = [known, found];
  }
  return best;
}
