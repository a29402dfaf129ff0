// An operator changes an account: name, external id, status, limits, retention, monthly credits, mail, outcomes.
// Promise: one transaction under the account's lock, with one line of the audit trail; none where nothing is another than before.
import { type Actor, type AuditValue, changesBetween } from '../../rules/audit.ts';
import { RETENTION_KINDS, type Retention, type RetentionKind } from '../../rules/retention.ts';
import {
  isTakenExternalId,
  lockWithTwin,
  renameAccount,
  writeOperatorSettings,
} from '../../store/accounts.ts';
import { writeAudit } from '../../store/audit.ts';
import type { Database, Tx } from '../../store/database.ts';
import { setMonthlyCredits } from '../../store/monthly-credits.ts';
import { areOutcomesOn, switchOutcomesOff, switchOutcomesOn } from '../../store/outcome-settings.ts';
import { ownRetention, setRetention } from '../../store/retention.ts';
import { type ActiveAccount, findActive } from '../../store/search-accounts.ts';
import { type AccountMail, readAccountMail, setAccountMail } from '../mail/stored-mail.ts';

/** What is left out stays as it is. */
export interface AccountChanges {
  readonly name?: string | undefined;
  /** Null: none. */
  readonly externalId?: string | null | undefined;
  readonly status?: 'active' | 'suspended' | undefined;
  /** Null: the deployment's. */
  readonly rateRequests?: number | null | undefined;
  readonly rateAddresses?: number | null | undefined;
  /** Null of a kind: the deployment's. */
  readonly retention?: { readonly [Kind in RetentionKind]?: number | null | undefined } | undefined;
  /** Null: none. */
  readonly monthlyCredits?: number | null | undefined;
  /** Null: no person. Set again after the address was mended, it is tried at once. */
  readonly mail?: string | null | undefined;
  /** Switched off, what is there of them is to be forgotten afterwards. */
  readonly outcomes?: boolean | undefined;
}

/** An account with all that operators set of it. */
export interface AccountDetails {
  readonly account: ActiveAccount;
  /** Null of a kind: the deployment's. */
  readonly retention: Retention;
  /** Null: no person is told. */
  readonly mail: AccountMail | null;
  readonly outcomes: boolean;
}

export type ChangedAccount =
  | { readonly kind: 'changed'; readonly details: AccountDetails }
  /** Not there, deleted, or a test side. */
  | { readonly kind: 'no_account' }
  | { readonly kind: 'external_id_taken' };

/** Null: no such account. */
export async function readAccountDetails(tx: Tx, accountId: number): Promise<AccountDetails | null> {
  const account = await findActive(tx, accountId);
  const retention = account && (await ownRetention(tx, accountId));
  if (!account || !retention) return null;
  const [mail, outcomes] = [await readAccountMail(tx, accountId), await areOutcomesOn(tx, accountId)];
  return { account, retention, mail, outcomes };
}

export async function changeAccount(
  db: Database,
  actor: Actor,
  accountId: number,
  changes: AccountChanges,
): Promise<ChangedAccount> {
  try {
    return await db.transaction((tx) => change(tx, actor, accountId, changes));
  } catch (error) {
    if (isTakenExternalId(error)) return { kind: 'external_id_taken' };
    throw error;
  }
}

async function change(
  tx: Tx,
  actor: Actor,
  accountId: number,
  changes: AccountChanges,
): Promise<ChangedAccount> {
  const before = (await lockWithTwin(tx, accountId)) ? await readAccountDetails(tx, accountId) : null;
  if (!before) return { kind: 'no_account' };
  await write(tx, before, changes);
  const details = (await readAccountDetails(tx, accountId))!;
  const changed = changesBetween(wordsOf(before), wordsOf(details));
  const [was, is] = [textsOf(before), textsOf(details)];
  const rewritten = Object.keys(is).filter((field) => was[field] !== is[field]);
  if (Object.keys(changed).length + rewritten.length > 0)
    await writeAudit(tx, actor, {
      action: 'account.changed',
      accountId,
      changes: changed,
      changed: rewritten,
    });
  return { kind: 'changed', details };
}

async function write(
  tx: Tx,
  { account, retention }: AccountDetails,
  {
    name,
    externalId = account.externalId,
    status,
    rateRequests = account.rateRequests,
    rateAddresses = account.rateAddresses,
    retention: kept = {},
    monthlyCredits,
    mail,
    outcomes,
  }: AccountChanges,
): Promise<void> {
  const { id } = account;
  if (name !== undefined) await renameAccount(tx, id, name);
  const wasSuspended = account.suspendedAtSeconds !== null;
  const isSuspended = status === undefined ? wasSuspended : status === 'suspended';
  await writeOperatorSettings(tx, id, { externalId, isSuspended, rateRequests, rateAddresses });
  const days = RETENTION_KINDS.map((kind) => [kind, kept[kind] === undefined ? retention[kind] : kept[kind]]);
  await setRetention(tx, id, Object.fromEntries(days) as Retention);
  if (monthlyCredits !== undefined) await setMonthlyCredits(tx, id, monthlyCredits);
  if (mail !== undefined) await setAccountMail(tx, id, mail);
  if (outcomes === true) await switchOutcomesOn(tx, id);
  if (outcomes === false) await switchOutcomesOff(tx, id);
}

/** Numbers and closed words, by the names that they have on the wire. */
function wordsOf({ account, retention, outcomes }: AccountDetails): Record<string, AuditValue> {
  return {
    status: account.suspendedAtSeconds === null ? 'active' : 'suspended',
    rate_requests: account.rateRequests,
    rate_addresses: account.rateAddresses,
    ...Object.fromEntries(RETENTION_KINDS.map((kind) => [`${kind}_days`, retention[kind]])),
    monthly_credits: account.monthlyCredits,
    outcomes,
  };
}

/** What people write. */
function textsOf({ account, mail }: AccountDetails): Record<string, string | null> {
  return { name: account.name, external_id: account.externalId, mail: mail?.address ?? null };
}
