// account: what the service says about the account of the key.

import { connectApi } from './api.ts';
import { plain, printJson, printTable } from './print.ts';
import { findServiceAccount, modeOf, type ServiceOptions } from './service-account.ts';

interface Options extends ServiceOptions {
  readonly json?: boolean;
}

export async function ownAccount({ json, ...options }: Options): Promise<void> {
  const { url, key } = await findServiceAccount(options);
  const account = await connectApi(url, key).account();
  if (json) return printJson({ ...account, mode: modeOf(key), url });
  printTable([
    ['account', plain(account.name)],
    ['credits', account.credits],
    ['used', account.credits_used],
    ['lists', account.lists],
    ['key', modeOf(key)],
    ['service', url],
  ]);
}
