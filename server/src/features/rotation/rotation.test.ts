import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../test/service.ts';
import { openAccount, rotateWebhookSecret } from '../../flow/open-account.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { readConfig } from '../../settings/config.ts';
import { secretKeys } from '../../settings/secret-key.ts';
import { sayWhere } from '../../store/http-nodes.ts';
import { leaveNodes, meetNodes } from '../../store/nodes.ts';
import { createSecretBox, fingerprintOf, type SecretBox, WrongSecretKey } from '../../store/secret-box.ts';
import { ensureSecretKey, ensureSecretKeys, readWebhookSecrets } from '../../store/webhook-secrets.ts';
import { answerBinding } from '../admin/answer-binding.ts';
import { requestErasure } from '../erasure/erase-address.ts';
import { insertHook } from '../outcomes/stored-hooks.ts';
import { insertEndpoint, rotateEndpointSecret } from '../webhooks/stored-endpoints.ts';
import { rotateSecretKey, rotationStatus } from './rotate-secret-key.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';
import { sealedRows } from './stored-rotation.ts';

const OLD = 'test';
/** More than a batch. */
const ACCOUNTS = 110;
let s: TestService;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mxproof-rotation-'));
  writeFileSync(join(folder, 'secret-key'), `${OLD}\n`, { mode: 0o600 });
  s = await startTestService();
});
afterEach(async () => {
  await s.close();
  rmSync(folder, { recursive: true, force: true });
});

const config = (env: Record<string, string> = {}) => readConfig({ MXPROOF_DATA_DIR: folder, ...env });
const inFolder = () => secretKeys(config());
/** What a running service has. */
const liveBox = () => createSecretBox(inFolder);

/** Something in every sealed column. */
async function fill(): Promise<void> {
  for (let n = 1; n < ACCOUNTS; n++)
    await openAccount(s.db, THE_SERVICE, s.box, { name: `n${n}`, credits: 0 });
  await rotateWebhookSecret(s.db, THE_SERVICE, s.box, s.accountId);
  await s.db.transaction(async (tx) => {
    const endpoint = { accountId: s.accountId, url: 'https://example.com/', description: '', events: [] };
    const made = await insertEndpoint(tx, s.box, endpoint);
    await rotateEndpointSecret(tx, s.box, made!.endpoint.id, s.accountId);
    const hook = { accountId: s.accountId, service: 'sendgrid', topic: null, signingKey: 'a key' } as const;
    await insertHook(tx, s.box, hook);
    const answer = (await ensureSecretKey(tx, s.box)).seal('{}', answerBinding(1));
    await tx.query(
      `INSERT INTO mxproof.admin_answers (holder, key, request_hash, status, answer) VALUES ('key 1', 'a', '', 200, $1)`,
      [answer],
    );
    await requestErasure(tx, THE_SERVICE, s.box, {
      email: 'anna@example.com',
      accountId: null,
      isMine: false,
    });
  });
}

/** What each sealed value says, by its place. */
async function readAll(box: SecretBox): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const column of SEALED_COLUMNS)
    for (const { id, sealed } of await sealedRows(s.db, column, { after: 0, limit: 1_000, lock: false }))
      texts.set(`${column.table}.${column.column} ${id}`, box.open(sealed, column.boundTo(id)));
  return texts;
}

test('every column with bytes is sealed and sealed again by a rotation, or is known not to be sealed', async () => {
  const columns = await s.db.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'mxproof' AND data_type = 'bytea' ORDER BY 1`,
  );
  const NOT_SEALED = [
    'admin_answers.request_hash',
    'admin_keys.hash',
    'api_keys.hash',
    'erasure_key.plain',
    'erasures.hash',
    'evidence.data',
    'idempotency.body_hash',
    'invitations.hash',
    'mailed_links.hash',
    'openid_flows.browser_hash',
    'openid_flows.invitation_hash',
    'openid_flows.page_hash',
    'openid_flows.state_hash',
    'operator_links.hash',
    'operator_sessions.hash',
    'outcome_hook_tokens.body_hash',
    'outcome_hook_tokens.token_hash',
    'outcome_hooks.token_hash',
    'outcomes.event',
    'outcomes.hash',
    'secret_key.fingerprint',
    'secret_key.previous',
    'sessions.hash',
    'sign_in_links.hash',
  ];
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(columns.map(({ name }) => name)).toEqual([...NOT_SEALED, ...sealed].sort());
});

test('a rotation that is cut off anywhere loses nothing, is seen, and goes on where it ended', async () => {
  await fill();
  const before = await readAll(s.box);
  const box = liveBox();
  let batches = 0;
  for (let cutAfter = 0; ; cutAfter++) {
    batches = 0;
    const rotated = await rotateSecretKey({
      db: s.db,
      actor: THE_SERVICE,
      config: config(),
      onBatch() {
        // As if the process had died: the batch is committed, nothing after it happens.
        if (batches++ === cutAfter) throw new Error('cut off');
      },
    }).catch((error: Error) => {
      expect(error.message).toBe('cut off');
      return null;
    });
    // A service that has run since before the first one opens everything at every moment, and so does one that starts now.
    expect(await readAll(box)).toEqual(before);
    expect(await readAll(liveBox())).toEqual(before);
    if (rotated !== null) {
      expect(rotated).toMatchObject({
        unreadable: 0,
        keptAt: join(folder, `secret-key.${fingerprintOf(OLD).toString('hex', 0, 4)}`),
      });
      break;
    }
    expect((await rotationStatus({ db: s.db, config: config() })).state).toBe('rotating');
    await expect(ensureSecretKeys(s.db, createSecretBox(inFolder().at(-1)!))).rejects.toThrow(WrongSecretKey);
  }
  expect(batches).toBeGreaterThan(SEALED_COLUMNS.length);
  const [fresh] = inFolder();
  expect(fresh).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600);
  expect(existsSync(join(folder, 'secret-key.next'))).toBe(false);
  // The new key alone opens all there is, in every column.
  const alone = createSecretBox(fresh!);
  expect(await readAll(alone)).toEqual(before);
  for (const { table, column } of SEALED_COLUMNS)
    expect([...before.keys()].some((place) => place.startsWith(`${table}.${column} `))).toBe(true);
  await expect(ensureSecretKey(s.db, createSecretBox(OLD))).rejects.toThrow(WrongSecretKey);
  const { state, values, withKeyInUse } = await rotationStatus({ db: s.db, config: config() });
  expect([state, withKeyInUse]).toEqual(['idle', values]);
});

test('secrets that are made and replaced during a rotation open with the new key alone', async () => {
  await fill();
  const box = liveBox();
  const expected = new Map<number, string>();
  let isOver = false;
  const busy = (async () => {
    for (let n = 0; !isOver; n++) {
      const id = 1 + ((n * 37) % ACCOUNTS);
      expected.set(id, (await s.db.transaction((tx) => rotateWebhookSecret(tx, THE_SERVICE, box, id)))!);
    }
  })();
  try {
    await rotateSecretKey({ db: s.db, actor: THE_SERVICE, config: config() });
  } finally {
    isOver = true;
    await busy;
  }
  const texts = await readAll(createSecretBox(inFolder()[0]!));
  expect(expected.size).toBeGreaterThan(3);
  for (const [id, secret] of expected) expect(texts.get(`accounts.webhook_secret ${id}`)).toBe(secret);
});

test('a rotation waits for what seals with the key before', async () => {
  const box = liveBox();
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: began, resolve: begin } = Promise.withResolvers<void>();
  const slow = s.db.transaction(async (tx) => {
    await ensureSecretKey(tx, box);
    begin();
    await mayGoOn;
    return rotateWebhookSecret(tx, THE_SERVICE, box, s.accountId);
  });
  await began;
  let isRotated = false;
  const rotation = rotateSecretKey({ db: s.db, actor: THE_SERVICE, config: config() }).then(() => {
    isRotated = true;
  });
  for (let turn = 0; turn < 20; turn++) await s.db.query('SELECT pg_sleep(0.01)');
  expect(isRotated).toBe(false);
  goOn();
  const secret = await slow;
  await rotation;
  expect((await readWebhookSecrets(s.db, s.accountId, createSecretBox(inFolder()[0]!)))[0]).toBe(secret);
});

test('it does not begin before every live node has the new key, and one that has left is not asked', async () => {
  const node = randomUUID();
  const keys = { MXPROOF_SECRET_KEY: OLD, MXPROOF_SECRET_KEY_NEXT: 'the next key' };
  const rotate = () => rotateSecretKey({ db: s.db, actor: THE_SERVICE, config: config(keys), waitMs: 0 });
  await meetNodes(s.db, node, ['host alpha'], [fingerprintOf(OLD)]);
  await sayWhere(s.db, randomUUID(), { url: 'http://127.0.0.1:1', isPublic: false, machine: 'beta' });
  await expect(rotate()).rejects.toThrow(
    'The nodes on these machines do not have the new secret key: alpha, beta. Nothing was changed.',
  );
  expect(await rotationStatus({ db: s.db, config: config(keys) })).toMatchObject({
    state: 'prepared',
    nodesWithoutNext: ['alpha', 'beta'],
  });
  await meetNodes(s.db, node, ['host alpha'], [fingerprintOf('the next key'), fingerprintOf(OLD)]);
  await expect(rotate()).rejects.toThrow('new secret key: beta.');
  await s.db.query('DELETE FROM mxproof.http_nodes');
  await leaveNodes(s.db, randomUUID());
  expect(await rotate()).toEqual({ sealed: 1, unreadable: 0, keptAt: null });
  await expect(rotate()).rejects.toThrow('This rotation is done: set MXPROOF_SECRET_KEY to the value of');
  // With both, and with the new one alone, nodes go on; with the old one alone they say so.
  const box = (...all: string[]) => createSecretBox(() => all);
  for (const each of [box(OLD, 'the next key'), box('the next key')]) {
    await ensureSecretKeys(s.db, each);
    expect(await readWebhookSecrets(s.db, s.accountId, each)).toEqual([s.webhookSecret]);
  }
  await expect(ensureSecretKeys(s.db, box(OLD))).rejects.toThrow(WrongSecretKey);
});

test('where the key is set, the next one is to be set as well; a key that is not that of the store changes nothing', async () => {
  const rotate = (env: Record<string, string>) =>
    rotateSecretKey({ db: s.db, actor: THE_SERVICE, config: config(env) });
  await expect(rotate({ MXPROOF_SECRET_KEY: OLD })).rejects.toThrow('set MXPROOF_SECRET_KEY_NEXT beside it');
  await expect(rotate({ MXPROOF_SECRET_KEY: 'x', MXPROOF_SECRET_KEY_NEXT: 'y' })).rejects.toThrow(
    'MXPROOF_SECRET_KEY is not the key',
  );
  writeFileSync(join(folder, 'secret-key'), 'another\n');
  await expect(rotate({})).rejects.toThrow('MXPROOF_SECRET_KEY is not the key');
  expect(existsSync(join(folder, 'secret-key.next'))).toBe(false);
  expect(() => config({ MXPROOF_SECRET_KEY_NEXT: 'y' })).toThrow('is set without MXPROOF_SECRET_KEY');
  expect(readFileSync(join(folder, 'secret-key'), 'utf8')).toBe('another\n');
  expect(await readWebhookSecrets(s.db, s.accountId, s.box)).toEqual([s.webhookSecret]);
});

test('what neither key opens is counted and left as it is', async () => {
  await s.db.query(`UPDATE mxproof.accounts SET previous_webhook_secret = 'x' WHERE id = $1`, [s.accountId]);
  expect(await rotateSecretKey({ db: s.db, actor: THE_SERVICE, config: config() })).toMatchObject({
    sealed: 1,
    unreadable: 1,
  });
});
