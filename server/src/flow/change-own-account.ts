// An account changes its name and its settings itself; what nothing differs by is not in the audit trail.
import { type Actor, type AuditValue, changesBetween } from '../rules/audit.ts';
import {
  type Account,
  type AccountSettings,
  findAccount,
  lockAccount,
  readSettings,
  renameAccount,
  setLowCredits,
} from '../store/accounts.ts';
import { writeAudit } from '../store/audit.ts';
import type { Tx } from '../store/database.ts';
import { switchOutcomesOff, switchOutcomesOn } from '../store/outcome-settings.ts';

/** What is undefined stays as it is. */
interface OwnChange {
  /** Of a live account; its test side bears it too. */
  readonly name?: string | undefined;
  readonly lowCredits?: number | null | undefined;
  readonly outcomes?: boolean | undefined;
}

export async function changeOwnAccount(
  tx: Tx,
  actor: Actor,
  accountId: number,
  { name, lowCredits, outcomes }: OwnChange,
): Promise<{ account: Account | null; settings: AccountSettings }> {
  await lockAccount(tx, accountId);
  const nameBefore = (await findAccount(tx, accountId))?.name;
  const before = await readSettings(tx, accountId);
  if (lowCredits !== undefined) await setLowCredits(tx, accountId, lowCredits);
  if (outcomes === true) await switchOutcomesOn(tx, accountId);
  if (outcomes === false) await switchOutcomesOff(tx, accountId);
  const account = await (name === undefined
    ? findAccount(tx, accountId)
    : renameAccount(tx, accountId, name));
  const settings = await readSettings(tx, accountId);
  const changes = changesBetween(factsOf(before), factsOf(settings));
  const changed = account?.name === nameBefore ? [] : ['name'];
  if (account && (Object.keys(changes).length > 0 || changed.length > 0))
    await writeAudit(tx, actor, { action: 'account.changed', accountId, changes, changed });
  return { account, settings };
}

function factsOf({ lowCredits, outcomes }: AccountSettings): Record<string, AuditValue> {
  return { low_credits: lowCredits, outcomes };
}
