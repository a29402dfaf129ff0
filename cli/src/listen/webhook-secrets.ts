// The webhook secrets that `listen` checks signatures with: from a file, the environment, or the person at the terminal.

import { readFile } from 'node:fs/promises';
import { OperatorError } from '@mxproof/server/operator-error';
import { canAsk, readSecret } from '../shared/ask.ts';
import { variable } from '../shared/environment.ts';
import { UsageError } from '../shared/usage-error.ts';

/** While a secret is being changed there are two. */
const MAX_SECRETS = 10;

/** One a line in the file. At a terminal one is asked for, and may be left out. Empty: there are none. */
export async function findWebhookSecrets(file: string | undefined): Promise<string[]> {
  if (file !== undefined) return readSecrets(file, await textOf(file));
  const name = 'MXPROOF_WEBHOOK_SECRET';
  const given = variable(name);
  if (given !== null) return readSecrets(name, given);
  if (!canAsk()) return [];
  const typed = await readSecret('Webhook secret, or Enter to skip', { optional: true });
  return typed === '' ? [] : readSecrets('This', typed);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`Cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function readSecrets(from: string, text: string): string[] {
  const secrets = text.split('\n').flatMap((line) => line.trim() || []);
  const isFit = secrets.length >= 1 && secrets.length <= MAX_SECRETS;
  if (!isFit || !secrets.every((each) => /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(each)))
    throw new UsageError(
      `${from} is not a webhook secret, or several, one per line: secrets start with whsec_.`,
    );
  return secrets;
}
