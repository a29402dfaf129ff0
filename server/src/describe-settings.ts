// What is configured, for the person who did it: every setting with its value, where it comes from and what is wrong with it.
// Promise: works whatever is wrong; shows no secret.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, type Environment, readConfig } from './config.ts';
import { OperatorError } from './operator-error.ts';
import { SECRET_KEY_FILE } from './secret-key.ts';
import { SET, SETTINGS, type Setting } from './settings.ts';
import { type UnknownSetting, unknownNames } from './unknown-settings.ts';

export interface DescribedSetting {
  readonly name: string;
  readonly about: string;
  /** Without what is secret; null: not set, and `fallback` holds. */
  readonly value: string | null;
  readonly fallback: string;
  readonly from: 'environment' | 'data folder' | 'default';
  /** One sentence; null: it is in order. */
  readonly error: string | null;
}

export interface DescribedSettings {
  readonly ok: boolean;
  readonly settings: readonly DescribedSetting[];
  readonly unknown: readonly UnknownSetting[];
}

export function describeSettings(env: Environment): DescribedSettings {
  const { errors, config } = findErrors(env);
  const settings = SETTINGS.map((setting) =>
    describe(setting, env, errors.get(setting.name) ?? null, config),
  );
  return { ok: errors.size === 0, settings, unknown: unknownNames(env) };
}

function describe(
  setting: Setting,
  env: Environment,
  error: string | null,
  config: Config | null,
): DescribedSetting {
  const { name, about, fallback, shown } = setting;
  const given = env[name]?.trim() || null;
  const common = { name, about, fallback, error };
  if (given === null && name === 'MXPROOF_SECRET_KEY' && hasKeyFile(config))
    return { ...common, value: SET, from: 'data folder' };
  if (given === null) return { ...common, value: null, from: 'default' };
  // What is malformed may hold its secret in a place where it is not looked for.
  const value = shown === undefined ? given : error === null ? shown(given) : SET;
  return { ...common, value, from: 'environment' };
}

function hasKeyFile(config: Config | null): boolean {
  return config !== null && existsSync(join(config.dataDir, SECRET_KEY_FILE));
}

/**
 * The first error ends a reading: what it names is left out, and the rest read again. By the setting that the sentence
 * begins with.
 */
function findErrors(env: Environment): { errors: Map<string, string>; config: Config | null } {
  const errors = new Map<string, string>();
  const left = { ...env };
  for (let tries = 0; tries <= SETTINGS.length; tries++) {
    try {
      return { errors, config: readConfig(left) };
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      const named = SETTINGS.map(({ name }) => name)
        .filter((name) => new RegExp(`\\b${name}\\b`).test(error.message))
        .sort((a, b) => error.message.indexOf(a) - error.message.indexOf(b));
      const [about] = named;
      if (about === undefined) throw error;
      errors.set(about, error.message);
      for (const name of named) delete left[name];
    }
  }
  return { errors, config: null };
}
