// The account that the first start creates, once, however many nodes start together.
import { THE_SERVICE } from '../rules/audit.ts';
import { countAccounts, lockFirstAccount } from '../store/accounts.ts';
import type { Database, Tx } from '../store/database.ts';
import type { SecretBox } from '../store/secret-box.ts';
import { type OpenedAccount, openAccountIn, openWithoutKey } from './open-account.ts';
import { makeSignInLink } from './sign-in.ts';

export interface FirstOpenedAccount extends OpenedAccount {
  readonly signInToken: string;
}

const NAME = 'first account';

/** Null: there are accounts already. */
export function openFirstAccount(
  db: Database,
  box: SecretBox,
  credits: number,
): Promise<FirstOpenedAccount | null> {
  return asFirst(db, async (tx) => {
    const opened = await openAccountIn(tx, THE_SERVICE, box, { name: NAME, credits });
    return { ...opened, signInToken: await makeSignInLink(tx, THE_SERVICE, opened.accountId) };
  });
}

/** For a start that may show no secret: a key that is never read would stay valid for ever. */
export function openFirstAccountWithoutKey(
  db: Database,
  box: SecretBox,
  credits: number,
): Promise<{ readonly accountId: number } | null> {
  return asFirst(db, (tx) => openWithoutKey(tx, THE_SERVICE, box, { name: NAME, credits }));
}

function asFirst<T>(db: Database, open: (tx: Tx) => Promise<T>): Promise<T | null> {
  return db.transaction(async (tx) => {
    await lockFirstAccount(tx);
    return (await countAccounts(tx)) > 0 ? null : open(tx);
  });
}
