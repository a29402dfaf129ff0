// Makes an API key for an account. A test key belongs to the account's test twin, which the first test key creates.
// Promise: the key itself is returned once and stored nowhere.
import { randomBytes } from 'node:crypto';
import { KEY_RANDOM_BYTES, makeKey } from '../rules/api-key.ts';
import { type Actor, changesBetween } from '../rules/audit.ts';
import type { KeyAccess } from '../rules/key-access.ts';
import { findTestTwin, insertTestTwin } from '../store/accounts.ts';
import { writeAudit } from '../store/audit.ts';
import type { Tx } from '../store/database.ts';
import { insertKey, type KeyInfo } from '../store/keys.ts';
import { grantCredits } from '../store/ledger.ts';

/** What a test balance begins with, and gets again whenever a charge would not fit. */
export const TEST_CREDITS = 1_000_000;
export const TEST_NOTE = 'test credits';

export interface KeyOptions {
  /** A live account, or a test twin that adds a test key. */
  readonly accountId: number;
  readonly label: string;
  readonly test?: boolean;
  /** It may make and delete keys. */
  readonly manage: boolean;
  /** Default: full. One that manages needs it. */
  readonly access?: KeyAccess;
  readonly expiresAtSeconds?: number | null;
  readonly allowedIps?: readonly string[] | null;
  readonly rateRequests?: number | null;
  readonly rateAddresses?: number | null;
}

export interface AddedKey {
  readonly key: KeyInfo;
  readonly apiKey: string;
}

/** A second key may overlap the first: callers change over, then the old one is revoked. */
export async function addKey(tx: Tx, actor: Actor, options: KeyOptions): Promise<AddedKey> {
  const added = await insertNewKey(tx, options);
  const { id, test, manage, access, expiresAtSeconds, allowedIps } = added.key;
  const { rateRequests, rateAddresses } = options;
  await writeAudit(tx, actor, {
    action: 'key.created',
    accountId: options.accountId,
    subjectId: id,
    changes: changesBetween(
      {},
      {
        ...{ test, manage, access, expires_at: expiresAtSeconds },
        ...{ rate_requests: rateRequests ?? null, rate_addresses: rateAddresses ?? null },
      },
    ),
    changed: allowedIps === null ? ['label'] : ['label', 'allowed_ips'],
  });
  return added;
}

/** Of an account that is opened with it: the audit trail tells it there. */
export async function insertNewKey(tx: Tx, options: KeyOptions): Promise<AddedKey> {
  const { test = false } = options;
  const made = makeKey(randomBytes(KEY_RANDOM_BYTES), test);
  const key = await insertKey(tx, {
    accountId: test ? await testTwinOf(tx, options.accountId) : options.accountId,
    prefix: made.prefix,
    hash: made.hash,
    label: options.label,
    manage: options.manage,
    access: options.access ?? 'full',
    expiresAtSeconds: options.expiresAtSeconds ?? null,
    allowedIps: options.allowedIps ?? null,
    rateRequests: options.rateRequests ?? null,
    rateAddresses: options.rateAddresses ?? null,
  });
  return { key, apiKey: made.key };
}

/** Made where there is none. */
export async function testTwinOf(tx: Tx, accountId: number): Promise<number> {
  const made = await insertTestTwin(tx, accountId);
  if (made !== null) {
    await grantCredits(tx, made, TEST_CREDITS, TEST_NOTE);
    return made;
  }
  const found = await findTestTwin(tx, accountId);
  if (found === null) throw new Error('a test key was wanted for no account');
  return found;
}
