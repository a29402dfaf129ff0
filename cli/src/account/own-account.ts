// account: what the service says about the account of the key.

import { plain, printJson, printTable } from '../shared/print.ts';
import { connectService, type ServiceOptions } from './service-account.ts';

interface Options extends ServiceOptions {
  readonly json?: boolean;
}

export async function ownAccount({ json, ...options }: Options): Promise<void> {
  const { mx, mode, url } = await connectService(options);
  const account = await mx.account.get();
  if (json) return printJson({ ...account, mode, url });
  printTable([
    ['account', plain(account.name)],
    ['credits', account.credits],
    ['used', account.credits_used],
    ['lists', account.lists],
    ['key', mode],
    ['service', url],
  ]);
}
