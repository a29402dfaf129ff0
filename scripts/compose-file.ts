// Reads a compose file as docker compose does: merged, and with the variables of an environment put in.
// Promise: a variable that must be set and is not throws, with its name.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface ComposeService {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly hostname?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: readonly { readonly path: string; readonly required?: boolean }[];
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly healthcheck?: { readonly test: readonly string[] };
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes?: Readonly<Record<string, null>>;
}

/** `${NAME}`, `${NAME:-default}`, `${NAME:?what to do}`. */
const VARIABLE = /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g;

export function readComposeFile(path: string, env: Readonly<Record<string, string>>): ComposeFile {
  return parse(readFileSync(path, 'utf8'), {
    merge: true,
    reviver: (_, value: unknown) => (typeof value === 'string' ? substitute(value, env) : value),
  }) as ComposeFile;
}

function substitute(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (_, name: string, kind: string | undefined, rest = '') => {
    if (env[name]) return env[name];
    if (kind === '?') throw new Error(`${name} must be set: ${rest}`);
    return rest;
  });
}

/** What docker compose puts in; `isRequired`: without these it refuses the file. */
export function composeVariables(path: string, isRequired = false): string[] {
  const found = [...readFileSync(path, 'utf8').matchAll(VARIABLE)];
  return [
    ...new Set(found.filter(([, , kind]) => !isRequired || kind === '?').map(([, name]) => name!)),
  ].sort();
}
