// login and logout: keep the address of a service and an API key for the other commands.
// Promise: the key is read unseen, never from the argument list, and saved only when the service takes it.

import { readSecret } from '../shared/ask.ts';
import { variable } from '../shared/environment.ts';
import { plain, printJson, printLine } from '../shared/print.ts';
import { loginFile, removeLogin, writeLogin } from './saved-login.ts';
import { connect, isInTheClear, readKey, type ServiceOptions, serviceUrl } from './service-account.ts';

interface Json {
  readonly json?: boolean;
}

export async function login({ json, ...options }: ServiceOptions & Json): Promise<void> {
  const url = await serviceUrl(options);
  if (isInTheClear(url))
    say(`Warning: ${url} is not encrypted: anyone on the network can read the key. Use https.`);
  const key = readKey('This', await readSecret(`API key for ${url}`));
  const { mx, mode } = connect({ url, key });
  const { name, credits } = await mx.account.get();
  await writeLogin({ url, key });
  if (json) printJson({ url, account: name, mode, credits, file: loginFile() });
  else {
    printLine(`Logged in to ${url} as "${plain(name)}" with a ${mode} key: ${credits} credits.`);
    printLine(`Saved in ${loginFile()}; "mxproof logout" deletes it.`);
  }
  sayWhatWins();
}

export async function logout({ json }: Json): Promise<void> {
  const deleted = await removeLogin();
  if (json) printJson({ deleted });
  else printLine(deleted ? `Logged out: ${loginFile()} is deleted.` : 'No login is saved.');
  sayWhatWins();
}

function sayWhatWins(): void {
  for (const name of ['MXPROOF_API_KEY', 'MXPROOF_URL'] as const)
    if (variable(name) !== null) say(`${name} is set in this shell and is used instead of a saved login.`);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
