// An operator adds credits to an account, or takes some back.
// Promise: no more is taken than is there; a change with a key is made once, however often it is repeated.
import type { Actor } from '../rules/audit.ts';
import { findAccount, lockAccount } from '../store/accounts.ts';
import { writeAudit } from '../store/audit.ts';
import type { Database } from '../store/database.ts';
import { findOperatorAmount, grantCredits } from '../store/ledger.ts';

export interface CreditChange {
  readonly accountId: number;
  /** Negative: taken back. */
  readonly amount: number;
  readonly note: string;
  /** Null: it is made anew each time. */
  readonly key: string | null;
}

export type ChangedCredits =
  | { readonly kind: 'changed' | 'repeated' }
  /** Of a test key, or not there at all. */
  | { readonly kind: 'no_account' }
  | { readonly kind: 'too_few'; readonly credits: number }
  /** The key was used for another amount. */
  | { readonly kind: 'key_reused'; readonly amount: number };

export function changeCredits(
  db: Database,
  actor: Actor,
  { accountId, amount, note, key }: CreditChange,
): Promise<ChangedCredits> {
  return db.transaction(async (tx) => {
    // Before anything is read of it: two with one key come one after the other.
    await lockAccount(tx, accountId);
    const account = await findAccount(tx, accountId);
    if (account === null || account.test) return { kind: 'no_account' };
    const earlier = key === null ? null : await findOperatorAmount(tx, accountId, key);
    if (earlier !== null)
      return earlier === amount ? { kind: 'repeated' } : { kind: 'key_reused', amount: earlier };
    if (account.credits + amount < 0) return { kind: 'too_few', credits: account.credits };
    await grantCredits(tx, accountId, amount, note, key);
    await writeAudit(tx, actor, {
      action: 'credits.changed',
      accountId,
      changes: { credits: [account.credits, account.credits + amount] },
      changed: note === '' ? [] : ['note'],
    });
    return { kind: 'changed' };
  });
}
