// Front door: a file of settings (--config, MXPROOF_CONFIG), in the form of env files, below the environment.
// Promise: what the environment sets wins, whichever of its two forms a setting has there; a file that says anything else than
// settings is refused, with one sentence for each mistake and none of its values. Light: commands load it that need no engine.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { OperatorError } from '../rules/operator-error.ts';
import { FILE_SUFFIX, fileVariableOf, readBounded } from './secret-file.ts';

export const CONFIG_VARIABLE = 'MXPROOF_CONFIG';
/** Where systemd puts the credentials of a unit. */
const CREDENTIALS_VARIABLE = 'CREDENTIALS_DIRECTORY';
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const CREDENTIAL_NAME = /^[A-Z][A-Z0-9_]*$/;
const EVERYBODY_READS = 0o004;
const EVERYBODY_WRITES = 0o002;
const MAX_NAME_CHARACTERS = 64;

export interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  /** Those that the environment does not set. */
  readonly inEffect: ReadonlySet<string>;
  readonly isOpenToAll: boolean;
  /** One sentence each; whether its names are settings is seen where the table of settings is. */
  readonly mistakes: readonly string[];
}

/** Of an environment made by `withConfigFile`. A symbol, since copies of such an environment keep it and no variable is called so. */
const CONFIG_FILE = Symbol('the configuration file');

export interface Environment {
  readonly [name: string]: string | undefined;
  readonly [CONFIG_FILE]?: ConfigFile | undefined;
}

export function configFileOf(env: Environment): ConfigFile | null {
  return env[CONFIG_FILE] ?? null;
}

/**
 * The environment, with the credentials of a systemd unit as files of secrets, and below it what the file sets. `path` comes
 * before MXPROOF_CONFIG; null: no file where that is not set either.
 */
export function withConfigFile(env: Environment, path: string | null): Environment {
  const own = { ...env, ...credentialsOf(env) };
  const file = path ?? env[CONFIG_VARIABLE]?.trim();
  if (!file) return own;
  const read = readConfigFile(resolve(file), path === null ? CONFIG_VARIABLE : '--config');
  const isSet = (name: string) => (own[name]?.trim() ?? '') !== '';
  const below = Object.entries(read.values).filter(([name]) => !formsOf(name).some(isSet));
  const inEffect = new Set(below.map(([name]) => name));
  return { ...own, ...Object.fromEntries(below), [CONFIG_FILE]: { ...read, inEffect } };
}

/** @throws OperatorError when the file cannot be read; what is wrong in it is in `mistakes` */
function readConfigFile(path: string, named: string): Omit<ConfigFile, 'inEffect'> {
  const { text, mode } = readBounded(named, path);
  const mistakes: string[] = [];
  const values: Record<string, string> = Object.create(null);
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n|\r/)
    .entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    // A line at a time: a quote that was forgotten would take all lines up to the next one into its value.
    const [[name, value] = ['', '']] = Object.entries(parseEnv(line)) as [string, string][];
    const where = `Line ${at + 1} of ${path}`;
    // What begins with a quote after Node has taken quotes away was not closed.
    if (!NAME.test(name) || /^["'`]/.test(value))
      mistakes.push(`${where} is not of the form NAME=value, on one line.`);
    else if (name in values)
      mistakes.push(`${where} sets ${shown(name)} again: remove one of the two lines.`);
    else if (name === CONFIG_VARIABLE)
      mistakes.push(`${where} sets ${name}, which only the environment can: remove the line.`);
    else values[name] = value;
  }
  if ((mode & EVERYBODY_WRITES) !== 0)
    mistakes.push(`Every user of this machine can change ${path}: run "chmod o-w ${path}".`);
  return { path, values, isOpenToAll: (mode & EVERYBODY_READS) !== 0, mistakes };
}

/** Of a name that may be no setting's: short and printable. */
export function shown(name: string): string {
  return name.slice(0, MAX_NAME_CHARACTERS).replace(/[^ -~]/g, '?');
}

/** A setting and the file with its value are one thing: who sets either, sets it. */
function formsOf(name: string): readonly string[] {
  const plain = name.endsWith(FILE_SUFFIX) ? [name.slice(0, -FILE_SUFFIX.length)] : [];
  return [name, fileVariableOf(name), ...plain];
}

/** `LoadCredential=NAME:…` is as `NAME_FILE`, which comes first where it is set. */
function credentialsOf(env: Environment): Record<string, string> {
  const folder = env[CREDENTIALS_VARIABLE]?.trim();
  if (!folder || !existsSync(folder)) return {};
  const names = readdirSync(folder).filter((name) => CREDENTIAL_NAME.test(name));
  const missing = names.filter((name) => !env[fileVariableOf(name)]?.trim());
  return Object.fromEntries(missing.map((name) => [fileVariableOf(name), join(folder, name)]));
}

/** @throws OperatorError with the first mistake */
export function refuseMistakes(mistakes: readonly string[]): void {
  const [first, ...others] = mistakes;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` "mxproof config --check" names all ${mistakes.length} mistakes.`;
  throw new OperatorError(`${first}${more}`);
}
