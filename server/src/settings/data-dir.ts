// Front door: where the data folder is. Light: loaded before anything that takes time.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** As `readConfig` has it. */
export function dataDirOf(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env.MXPROOF_DATA_DIR?.trim() || defaultDataDir());
}

/** Beside the code in a checkout, wherever it is started from; else in the folder it is started from. */
function defaultDataDir(): string {
  const root = join(import.meta.dirname, '../../..');
  try {
    const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name?: string };
    if (name === 'mxproof-workspace') return join(root, 'data');
  } catch {
    // Not a checkout.
  }
  return 'data';
}
