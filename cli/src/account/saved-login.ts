// The login that `mxproof login` keeps in the user's configuration folder.
// Promise: only the user can read it; it is replaced as a whole or not at all.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@mxproof/server/operator-error';
import { configFolder } from '../shared/environment.ts';
import { writePrivate } from '../shared/write-private.ts';

export interface SavedLogin {
  readonly url: string;
  readonly key: string;
}

export function loginFile(): string {
  return join(configFolder(), 'login.json');
}

export async function readLogin(): Promise<SavedLogin | null> {
  const text = await readFile(loginFile(), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw cannot('read', error);
  });
  if (text === null) return null;
  const login = parseLogin(text);
  if (login === null)
    throw new OperatorError(`${loginFile()} is damaged: run "mxproof logout", then "mxproof login".`);
  return login;
}

function parseLogin(text: string): SavedLogin | null {
  try {
    const { url, api_key: key } = JSON.parse(text) as Record<string, unknown>;
    return typeof url === 'string' && typeof key === 'string' ? { url, key } : null;
  } catch {
    return null;
  }
}

export async function writeLogin({ url, key }: SavedLogin): Promise<void> {
  try {
    await writePrivate(loginFile(), `${JSON.stringify({ url, api_key: key })}\n`);
  } catch (error) {
    throw cannot('write', error);
  }
}

/** False: there was none. */
export async function removeLogin(): Promise<boolean> {
  try {
    await rm(loginFile());
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw cannot('delete', error);
  }
}

function cannot(act: string, error: unknown): OperatorError {
  return new OperatorError(`Cannot ${act} ${loginFile()} (${(error as NodeJS.ErrnoException).code}).`);
}
