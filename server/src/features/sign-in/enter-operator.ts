// Lets in an operator whom the provider has named. Promise: a person who is not among the subjects and does not have the claim is let in nowhere.
import type { SessionSecrets } from '../../flow/sign-in.ts';
import type { CameFrom } from '../../rules/audit.ts';
import type { Database } from '../../store/database.ts';
import { beginOperatorSession } from '../operator/sign-in.ts';
import { type FlowKeys, redeemFlow } from './stored-flows.ts';

/** `before`: the session that the browser had, which ends. Null: the sign-in is over, or was another browser's. */
export async function enterAsOperator(
  db: Database,
  from: CameFrom,
  browser: Pick<FlowKeys, 'browserHash'> & { readonly pageHash: Buffer },
  before: Buffer | null,
): Promise<SessionSecrets | 'not_an_operator' | null> {
  return db.transaction(async (tx) => {
    const flow = await redeemFlow(tx, { ...browser, forOperators: true });
    if (!flow) return null;
    const { isOperator, subject } = flow.proved;
    if (!isOperator) return 'not_an_operator';
    return beginOperatorSession(tx, from, { keyId: null, subject }, before);
  });
}
