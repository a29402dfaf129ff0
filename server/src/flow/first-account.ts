// The account that the first start creates, once, however many nodes start together.
import { countAccounts, lockFirstAccount } from '../store/accounts.ts';
import type { Database } from '../store/database.ts';
import type { SecretBox } from '../store/secret-box.ts';
import { type OpenedAccount, openAccountIn } from './open-account.ts';
import { makeSignInLink } from './sign-in.ts';

export interface FirstOpenedAccount extends OpenedAccount {
  readonly signInToken: string;
}

/** Null: there are accounts already. */
export async function openFirstAccount(
  db: Database,
  box: SecretBox,
  credits: number,
): Promise<FirstOpenedAccount | null> {
  return db.transaction(async (tx) => {
    await lockFirstAccount(tx);
    if ((await countAccounts(tx)) > 0) return null;
    const opened = await openAccountIn(tx, box, { name: 'first account', credits });
    return { ...opened, signInToken: await makeSignInLink(tx, opened.accountId) };
  });
}
