// credits add|take: an operator changes the credits of an account.

import { type CreditChange, changeCredits, findAccount } from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { plain, printJson, printLine } from '../shared/print.ts';
import { existingAccount, NO_ACCOUNT, onWire } from './accounts.ts';
import { commandActor, withStore } from './with-store.ts';

interface ChangeOptions {
  readonly note?: string;
  readonly idempotencyKey?: string;
  readonly json?: boolean;
}

export async function creditsAdd(accountId: number, credits: number, options: ChangeOptions): Promise<void> {
  await change(accountId, credits, options);
}

export async function creditsTake(accountId: number, credits: number, options: ChangeOptions): Promise<void> {
  await change(accountId, -credits, options);
}

async function change(
  accountId: number,
  amount: number,
  { note = '', idempotencyKey: key = undefined, json }: ChangeOptions,
): Promise<void> {
  const { isRepeated, account } = await withStore(async ({ db }) => {
    const wanted = { accountId, amount, note, key: key ?? null } satisfies CreditChange;
    const changed = await changeCredits(db, commandActor(), wanted);
    switch (changed.kind) {
      case 'changed':
      case 'repeated':
        return {
          isRepeated: changed.kind === 'repeated',
          account: await existingAccount(findAccount(db, accountId)),
        };
      case 'no_account':
        throw new OperatorError(NO_ACCOUNT);
      case 'too_few':
        throw new OperatorError(
          `Account ${accountId} has ${changed.credits} credits: no more than that can be taken back.`,
        );
      case 'key_reused':
        throw new OperatorError(
          `The idempotency key "${plain(key ?? '')}" was already used to ${changed.amount > 0 ? 'add' : 'take'} ${Math.abs(changed.amount)} credits: use another one.`,
        );
      default:
        return changed satisfies never;
    }
  });
  if (json) return printJson({ ...onWire(account), repeated: isRepeated });
  const already = isRepeated ? 'This was done before. ' : '';
  printLine(`${already}Account ${account.id} now has ${account.credits} credits.`);
}
