// What is configured, for the person who did it: every setting with its value, where it comes from and what is wrong with it.
// Promise: works whatever is wrong; shows no secret.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configErrors, type Environment, givenValue } from './config.ts';
import { configFileOf } from './config-file.ts';
import { dataDirOf } from './data-dir.ts';
import { fileVariableOf } from './secret-file.ts';
import { SECRET_KEY_FILE } from './secret-key.ts';
import { ALL_SETTINGS, isSecret, SET, SETTINGS, type Setting } from './settings.ts';
import { fileMistakes, type UnknownSetting, unknownNames } from './unknown-settings.ts';

export interface DescribedSetting {
  readonly name: string;
  readonly about: string;
  /** Without what is secret; null: not set, and `fallback` holds. */
  readonly value: string | null;
  readonly fallback: string;
  /** `file`: that of this one value. */
  readonly from: 'environment' | 'configuration file' | 'file' | 'data folder' | 'default';
  /** One sentence; null: it is in order. */
  readonly error: string | null;
}

export interface DescribedSettings {
  readonly ok: boolean;
  readonly settings: readonly DescribedSetting[];
  readonly unknown: readonly UnknownSetting[];
  /** Of the configuration file itself, one sentence each. */
  readonly mistakes: readonly string[];
}

export function describeSettings(env: Environment): DescribedSettings {
  const errors = configErrors(env);
  const settings = ALL_SETTINGS.map((setting) => describe(setting, env, errors.get(setting.name) ?? null));
  const file = configFileOf(env);
  const mistakes = file === null ? [] : fileMistakes(file);
  return { ok: errors.size === 0 && mistakes.length === 0, settings, unknown: unknownNames(env), mistakes };
}

function describe(setting: Setting, env: Environment, error: string | null): DescribedSetting {
  const { name, about, unset, shown } = setting;
  const common = { name, about, fallback: unset, error };
  // What is malformed may hold its secret in a place where it is not looked for.
  if (error !== null) {
    const isSet = [name, fileVariableOf(name)].some((variable) => env[variable]?.trim());
    if (!isSet) return { ...common, value: null, from: 'default' };
    return {
      ...common,
      value: isSecret(setting) ? SET : (env[name]?.trim() ?? null),
      from: placeOf(name, env),
    };
  }
  const given = givenValue(setting, env);
  if (given !== null) {
    const value = shown === undefined ? given : shown(given);
    return { ...common, value, from: placeOf(name, env) };
  }
  if (name === SETTINGS.secretKey.name && existsSync(join(dataDirOf(env), SECRET_KEY_FILE)))
    return { ...common, value: SET, from: 'data folder' };
  return { ...common, value: null, from: 'default' };
}

/** Of one that is set. */
function placeOf(name: string, env: Environment): DescribedSetting['from'] {
  if (!env[name]?.trim()) return 'file';
  return configFileOf(env)?.inEffect.has(name) ? 'configuration file' : 'environment';
}
