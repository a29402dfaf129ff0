// Opens an account: its first credits, its key and its webhook secret, in one transaction.
import { randomBytes } from 'node:crypto';
import { allAccounts, insertAccount } from '../store/accounts.ts';
import type { Database, Tx } from '../store/database.ts';
import { grantCredits } from '../store/ledger.ts';
import type { SecretBox } from '../store/secret-box.ts';
import { replaceSecretKey, setWebhookSecret } from '../store/webhook-secrets.ts';
import { addKey } from './add-key.ts';

const WEBHOOK_SECRET_BYTES = 32;

export interface OpenedAccount {
  readonly accountId: number;
  readonly name: string;
  readonly credits: number;
  readonly apiKey: string;
  readonly webhookSecret: string;
}

export async function openAccount(
  db: Database,
  box: SecretBox,
  account: { name: string; credits: number },
): Promise<OpenedAccount> {
  return db.transaction((tx) => openAccountIn(tx, box, account));
}

export async function openAccountIn(
  tx: Tx,
  box: SecretBox,
  account: { name: string; credits: number },
): Promise<OpenedAccount> {
  const opened = await openWithoutKey(tx, box, account);
  const { apiKey } = await addKey(tx, { accountId: opened.accountId, label: 'first', manage: true });
  return { ...opened, apiKey };
}

export async function openWithoutKey(
  tx: Tx,
  box: SecretBox,
  { name, credits }: { name: string; credits: number },
): Promise<Omit<OpenedAccount, 'apiKey'>> {
  const webhookSecret = newWebhookSecret();
  const accountId = await insertAccount(tx, { name, webhookSecret }, box);
  if (credits > 0) await grantCredits(tx, accountId, credits, 'opening credits');
  return { accountId, name, credits, webhookSecret };
}

/** Null: no such account. */
export async function rotateWebhookSecret(tx: Tx, box: SecretBox, accountId: number): Promise<string | null> {
  const secret = newWebhookSecret();
  return (await setWebhookSecret(tx, accountId, secret, box)) ? secret : null;
}

/** For an operator who has lost the key that sealed them. `mendOthers`: what else was sealed with it. */
export async function rotateAllWebhookSecrets(
  db: Database,
  box: SecretBox,
  mendOthers: (tx: Tx, box: SecretBox) => Promise<void>,
): Promise<{ accountId: number; secret: string }[]> {
  return db.transaction(async (tx) => {
    await replaceSecretKey(tx, box);
    await mendOthers(tx, box);
    const rotated = [];
    for (const { id: accountId } of await allAccounts(tx))
      rotated.push({ accountId, secret: (await rotateWebhookSecret(tx, box, accountId))! });
    return rotated;
  });
}

// `whsec_` and base64 is what Standard Webhooks libraries expect.
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}`;
}
