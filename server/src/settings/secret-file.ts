// Front door: a secret from its variable, or from the file that the variable with `_FILE` behind its name points to, as Docker and
// Kubernetes provide them. Light: commands load it that need neither the engine nor a database.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { OperatorError } from '../rules/operator-error.ts';

const MAX_FILE_BYTES = 64 * 1024;
export const FILE_SUFFIX = '_FILE';

export const fileVariableOf = (name: string) => `${name}${FILE_SUFFIX}`;

/** Without blanks and line ends around it; null: neither variable is set. Throws an OperatorError that does not repeat it. */
export function secretValue(env: Readonly<Record<string, string | undefined>>, name: string): string | null {
  const value = env[name]?.trim() || null;
  const variable = fileVariableOf(name);
  const file = env[variable]?.trim() || null;
  if (file === null) return value;
  if (value !== null) throw new OperatorError(`${name} and ${variable} are both set: remove one of them.`);
  const secret = readBounded(variable, file).text.trim();
  if (secret === '') throw new OperatorError(`${variable} names a file that is empty: ${file}.`);
  return secret;
}

/** Whatever it is: a pipe or a device has no size. `name`: what names the file. */
export function readBounded(name: string, file: string): { readonly text: string; readonly mode: number } {
  const bytes = Buffer.alloc(MAX_FILE_BYTES + 1);
  let length = 0;
  let mode = 0;
  try {
    const handle = openSync(file, 'r');
    try {
      mode = fstatSync(handle).mode;
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSync(handle, bytes, length, bytes.length - length, null);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(`${name} names a file that cannot be read (${code}): ${file}.`);
  }
  if (length > MAX_FILE_BYTES)
    throw new OperatorError(`${name} names a file of more than ${MAX_FILE_BYTES} bytes: ${file}.`);
  return { text: bytes.toString('utf8', 0, length), mode };
}
