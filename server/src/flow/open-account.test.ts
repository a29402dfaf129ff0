import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../test/database.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';
import { createSecretBox, WrongSecretKey } from '../store/secret-box.ts';
import { ensureSecretKey, readWebhookSecrets } from '../store/webhook-secrets.ts';
import { openAccount, rotateAllWebhookSecrets, rotateWebhookSecret } from './open-account.ts';

const right = createSecretBox('the key of the service');
const wrong = createSecretBox('a key of another shell');
let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, poolSize: 4 });
  await migrate(db);
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const open = (box = right) => openAccount(db, THE_SERVICE, box, { name: 'shop', credits: 0 });
const forget = () => db.query('DELETE FROM mxproof.secret_key');

test('nothing is sealed with another key than the first one', async () => {
  const { accountId } = await open();
  await expect(open(wrong)).rejects.toThrow(WrongSecretKey);
  await expect(rotateWebhookSecret(db, THE_SERVICE, wrong, accountId)).rejects.toThrow(WrongSecretKey);
  await expect(ensureSecretKey(db, wrong)).rejects.toThrow(WrongSecretKey);
  await ensureSecretKey(db, right);
  expect(await db.query('SELECT id FROM mxproof.accounts')).toEqual([{ id: accountId }]);
  expect(await readWebhookSecrets(db, accountId, right)).toEqual([expect.stringMatching(/^whsec_/)]);
});

test('a database from before the fingerprint belongs to the key that opens what is in it', async () => {
  await open();
  await forget();
  await expect(open(wrong)).rejects.toThrow(WrongSecretKey);
  await open(right);
  expect(await db.query('SELECT fingerprint FROM mxproof.secret_key')).toEqual([
    { fingerprint: right.fingerprint },
  ]);
});

test('of two keys that come to an empty database at once one wins', async () => {
  const came = await Promise.allSettled(
    [right, wrong, right, wrong].map((box) => db.transaction((tx) => ensureSecretKey(tx, box))),
  );
  const [row] = await db.query<{ fingerprint: Buffer }>('SELECT fingerprint FROM mxproof.secret_key');
  const isRight = row!.fingerprint.equals(right.fingerprint);
  expect(came.map(({ status }) => status === 'fulfilled')).toEqual([isRight, !isRight, isRight, !isRight]);
});

test('an operator who has lost the key gives every account a new secret under the new one', async () => {
  const opened = [await open(), await open()];
  const rotated = await rotateAllWebhookSecrets(db, THE_SERVICE, wrong, async () => {});
  expect(rotated.map(({ accountId }) => accountId)).toEqual(opened.map(({ accountId }) => accountId));
  for (const { accountId, secret } of rotated)
    expect(await readWebhookSecrets(db, accountId, wrong)).toEqual([secret]);
  await expect(ensureSecretKey(db, right)).rejects.toThrow(WrongSecretKey);
});
