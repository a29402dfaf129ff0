// account: what the service says about the account of the key, and when credits are low.

import { plain, printJson, printTable } from '../shared/print.ts';
import { connectService, type ServiceOptions } from './service-account.ts';

interface Options extends ServiceOptions {
  readonly json?: boolean;
  /** 0: never. */
  readonly lowCredits?: number;
}

export async function ownAccount({ json, lowCredits, ...options }: Options): Promise<void> {
  const { mx, mode, url } = await connectService(options);
  const account =
    lowCredits === undefined
      ? await mx.account.get({ include: 'settings' })
      : await mx.account.update({ low_credits: lowCredits || null });
  if (json) return printJson({ ...account, mode, url });
  printTable([
    ['account', plain(account.name)],
    ['credits', account.credits],
    ['low below', account.settings?.low_credits ?? 'never'],
    ['used', account.credits_used],
    ['outcomes', account.settings?.outcomes ? 'on' : 'off'],
    ['lists', account.lists],
    ['key', mode],
    ['service', url],
  ]);
}
