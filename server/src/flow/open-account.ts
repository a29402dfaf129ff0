// Opens an account: its first credits, its key and its webhook secret, in one transaction and one row of the audit trail.
import { randomBytes } from 'node:crypto';
import { type Actor, changesBetween } from '../rules/audit.ts';
import { allAccounts, insertAccount } from '../store/accounts.ts';
import { writeAudit } from '../store/audit.ts';
import type { Database, Tx } from '../store/database.ts';
import { grantCredits } from '../store/ledger.ts';
import type { SecretBox } from '../store/secret-box.ts';
import { replaceSecretKey, setWebhookSecret } from '../store/webhook-secrets.ts';
import { insertNewKey } from './add-key.ts';

const WEBHOOK_SECRET_BYTES = 32;

export interface NewAccount {
  readonly name: string;
  readonly credits: number;
  /** Of the ledger's entry. */
  readonly note?: string;
  readonly externalId?: string | null;
}

export interface OpenedAccount {
  readonly accountId: number;
  readonly name: string;
  readonly credits: number;
  readonly apiKey: string;
  readonly webhookSecret: string;
}

export async function openAccount(
  db: Database,
  actor: Actor,
  box: SecretBox,
  account: NewAccount,
): Promise<OpenedAccount> {
  return db.transaction((tx) => openAccountIn(tx, actor, box, account));
}

export async function openAccountIn(
  tx: Tx,
  actor: Actor,
  box: SecretBox,
  account: NewAccount,
): Promise<OpenedAccount> {
  const opened = await openWithoutKey(tx, actor, box, account);
  const { apiKey } = await insertNewKey(tx, { accountId: opened.accountId, label: 'first', manage: true });
  return { ...opened, apiKey };
}

export async function openWithoutKey(
  tx: Tx,
  actor: Actor,
  box: SecretBox,
  { name, credits, note, externalId = null }: NewAccount,
): Promise<Omit<OpenedAccount, 'apiKey'>> {
  const webhookSecret = newWebhookSecret();
  const accountId = await insertAccount(tx, { name, externalId, webhookSecret }, box);
  if (credits > 0) await grantCredits(tx, accountId, credits, note || 'opening credits');
  await writeAudit(tx, actor, {
    action: 'account.created',
    accountId,
    changes: changesBetween({}, { credits }),
    changed: externalId === null ? ['name'] : ['name', 'external_id'],
  });
  return { accountId, name, credits, webhookSecret };
}

/** Null: no such account. */
export async function rotateWebhookSecret(
  tx: Tx,
  actor: Actor,
  box: SecretBox,
  accountId: number,
): Promise<string | null> {
  const secret = newWebhookSecret();
  if (!(await setWebhookSecret(tx, accountId, secret, box))) return null;
  await writeAudit(tx, actor, { action: 'webhook_secret.replaced', accountId });
  return secret;
}

/**
 * For an operator who has lost the key that sealed them. `mendOthers`: what else was sealed with it. Each account finds it in its
 * own trail.
 */
export async function rotateAllWebhookSecrets(
  db: Database,
  actor: Actor,
  box: SecretBox,
  mendOthers: (tx: Tx, box: SecretBox) => Promise<void>,
): Promise<{ accountId: number; secret: string }[]> {
  return db.transaction(async (tx) => {
    await replaceSecretKey(tx, box);
    await writeAudit(tx, actor, { action: 'secret_key.rotated', accountId: null });
    await mendOthers(tx, box);
    const rotated = [];
    for (const { id: accountId } of await allAccounts(tx)) {
      const secret = await rotateWebhookSecret(tx, actor, box, accountId);
      // Null: it was deleted meanwhile.
      if (secret !== null) rotated.push({ accountId, secret });
    }
    return rotated;
  });
}

// `whsec_` and base64 is what Standard Webhooks libraries expect.
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}`;
}
