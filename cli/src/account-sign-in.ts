// account link and account sign-out: who may use the console in a browser.

import {
  endLinksOf,
  endSessionsOf,
  findAccount,
  LINK_MINUTES,
  localUrl,
  makeSignInLink,
  signInUrl,
} from '@mxproof/server/operate';
import { existingAccount } from './accounts.ts';
import { printJson, printLine } from './print.ts';
import { UsageError } from './usage-error.ts';
import { withStore } from './with-store.ts';

interface LinkOptions {
  readonly url?: string;
  readonly json?: boolean;
}

export async function accountLink(accountId: number, { url, json }: LinkOptions): Promise<void> {
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError('--url must be the address of the service, such as https://mxproof.example.com.');
  const link = await withStore(({ db, config }) =>
    db.transaction(async (tx) => {
      await existingAccount(findAccount(tx, accountId));
      return signInUrl(url ?? localUrl(config, config.port), await makeSignInLink(tx, accountId));
    }),
  );
  if (json) return printJson({ account_id: accountId, url: link });
  printLine(link);
  printLine(`It signs in one browser, once, within ${LINK_MINUTES} minutes.`);
}

export async function accountSignOut(accountId: number, { json }: { json?: boolean }): Promise<void> {
  const ended = await withStore(({ db }) =>
    db.transaction(async (tx) => {
      await existingAccount(findAccount(tx, accountId));
      await endLinksOf(tx, accountId);
      return endSessionsOf(tx, accountId);
    }),
  );
  if (json) return printJson({ account_id: accountId, sessions_ended: ended });
  printLine(`Account ${accountId}: ${ended === 1 ? '1 session' : `${ended} sessions`} ended.`);
}
