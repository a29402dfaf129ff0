// Front door: a secret from its variable, or from the file that the variable with `_FILE` behind its name points to, as Docker and
// Kubernetes provide them. Light: commands load it that need neither the engine nor a database.
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { OperatorError } from '../rules/operator-error.ts';

const MAX_FILE_BYTES = 64 * 1024;

export const fileVariableOf = (name: string) => `${name}_FILE`;

/** Without blanks and line ends around it; null: neither variable is set. Throws an OperatorError that does not repeat it. */
export function secretValue(env: Readonly<Record<string, string | undefined>>, name: string): string | null {
  const value = env[name]?.trim() || null;
  const variable = fileVariableOf(name);
  const file = env[variable]?.trim() || null;
  if (file === null) return value;
  if (value !== null) throw new OperatorError(`${name} and ${variable} are both set: remove one of them.`);
  const secret = readBounded(variable, file).trim();
  if (secret === '') throw new OperatorError(`${variable} names a file that is empty: ${file}.`);
  return secret;
}

function readBounded(variable: string, file: string): string {
  try {
    const handle = openSync(file, 'r');
    try {
      if (fstatSync(handle).size <= MAX_FILE_BYTES) return readFileSync(handle, 'utf8');
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(`${variable} names a file that cannot be read (${code}): ${file}.`);
  }
  throw new OperatorError(`${variable} names a file of more than ${MAX_FILE_BYTES} bytes: ${file}.`);
}
