// account link and account sign-out: who may use the console in a browser.

import { findAccount, makeSignInLink, signAllOut, signInUrl } from '@mxproof/server/operate';
import { printJson, printLine } from '../shared/print.ts';
import { existingAccount } from './accounts.ts';
import { type LinkOptions, printSignInLink } from './sign-in-link.ts';
import { commandActor, withStore } from './with-store.ts';

export async function accountLink(accountId: number, options: LinkOptions): Promise<void> {
  await printSignInLink(options, {
    async make(tx) {
      await existingAccount(findAccount(tx, accountId));
      return makeSignInLink(tx, commandActor(), accountId);
    },
    urlOf: signInUrl,
    about: { account_id: accountId },
  });
}

export async function accountSignOut(accountId: number, { json }: { json?: boolean }): Promise<void> {
  const ended = await withStore(({ db }) =>
    db.transaction(async (tx) => {
      await existingAccount(findAccount(tx, accountId));
      return signAllOut(tx, commandActor(), accountId);
    }),
  );
  if (json) return printJson({ account_id: accountId, sessions_ended: ended });
  printLine(`Account ${accountId}: ${ended === 1 ? '1 session' : `${ended} sessions`} ended.`);
}
