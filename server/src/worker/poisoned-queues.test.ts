// One row that cannot be read or changed in each table that is asked for several accounts in one statement: what the others ask
// together with it is answered all the same.

import { randomUUID } from 'node:crypto';
import type { PermitRequest } from '@mxproof/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReceiver } from '../../test/receiver.ts';
import { refuse } from '../../test/refuse.ts';
import { quiet, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { until } from '../../test/until.ts';
import { deliverAlerts } from '../features/alerts/deliver-alerts.ts';
import { createRecipientPermits } from '../features/sources/stored-permits.ts';
import { openAccount } from '../flow/open-account.ts';
import { submitList } from '../flow/submit-list.ts';
import { createGate } from '../http/admit.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { insertShownCallback } from '../store/shown-callbacks.ts';
import { createCallbackPoller } from './callback-poller.ts';
import { createListPoller } from './list-poller.ts';
import { startNotifications } from './notifications.ts';

const EMAILS = ['ok@example.com'];
let s: TestService;
let neighbour: number;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  s = await startTestService();
  neighbour = await s.open();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await s.close();
});

const outcomes = async (asked: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(asked)).map(({ status }) => status);

function listen() {
  const notifications = startNotifications(s.db, quiet);
  closers.push(notifications.stop);
  return { db: s.db, notifications, log: quiet };
}

test('accounts: one that cannot be charged: a list that a neighbour submits with it is taken', async () => {
  await refuse(s.db, 'UPDATE', 'accounts', 'id', s.accountId);
  const submit = (accountId: number) => submitList(s.context, submission(accountId, EMAILS));
  expect(await outcomes([submit(s.accountId), submit(neighbour)])).toEqual(['rejected', 'fulfilled']);
});

test('rate_windows: one that cannot be read: a neighbour’s request beside it is admitted', async () => {
  const keys = await Promise.all(
    ['a', 'b'].map((name) => openAccount(s.db, THE_SERVICE, s.box, { name, credits: 0 })),
  );
  const gate = createGate(s.db, { requests: 9, addresses: 9 }, 2);
  const admit = ({ apiKey }: { apiKey: string }) =>
    gate.admit({ authorization: `Bearer ${apiKey}`, session: null, ip: '127.0.0.1' });
  for (const key of keys) expect((await admit(key)).kind).toBe('admitted');
  await s.db.query(
    `UPDATE mxproof.rate_windows SET taken = 'x' WHERE kind LIKE 'account%' AND key_id = ${keys[0]!.accountId}`,
  );
  expect(await outcomes(keys.map(admit))).toEqual(['rejected', 'fulfilled']);
});

test('recipient_shares: one that cannot be changed: a neighbour’s recipients are permitted beside it', async () => {
  const permits = createRecipientPermits(s.db);
  const take = (payer: number) =>
    permits.take({
      source: null,
      key: `provider ${payer}`,
      payer: String(payer),
      perHour: 9,
      perDay: null,
      wanted: 1,
    } satisfies PermitRequest);
  await take(s.accountId);
  await refuse(s.db, 'UPDATE', 'recipient_shares', 'payer', String(s.accountId));
  expect(await outcomes([take(s.accountId), take(neighbour)])).toEqual(['rejected', 'fulfilled']);
});

test('lists: a name that is not JSON: those that follow a neighbour’s list see its changes', async () => {
  const bad = await s.submit(EMAILS);
  const good = await s.submit(EMAILS, { accountId: neighbour });
  const poller = createListPoller({ ...listen(), pollMs: 20 });
  closers.push(poller.stop);
  const over = new AbortController();
  const [stuck, next] = [bad, good].map((list) => poller.changes(list, over.signal).next());
  await s.db.query(`UPDATE mxproof.lists SET name_json = '"not json', file_json = 'x' WHERE id = $1`, [
    bad.id,
  ]);
  await s.db.query(`UPDATE mxproof.lists SET status = 'checking' WHERE id = $1`, [good.id]);
  expect((await next!).value).toMatchObject({ id: good.id, status: 'checking' });
  over.abort();
  await stuck;
});

test('shown_callbacks: one that is not JSON: a neighbour’s listener gets its own', async () => {
  const poller = createCallbackPoller(listen());
  closers.push(poller.stop);
  const over = new AbortController();
  for (const accountId of [s.accountId, neighbour]) {
    const { id } = await s.submit(EMAILS, { accountId });
    const headers = accountId === neighbour ? '{}' : 'x';
    await s.db.transaction((tx) =>
      insertShownCallback(tx, { accountId, listId: id, url: headers, headers, body: headers }),
    );
  }
  const [, next] = [s.accountId, neighbour].map((id) => poller.sent(id, 0, over.signal).next());
  expect((await next!).value).toMatchObject({ headers: '{}' });
  over.abort();
});

test('alert_messages: one that cannot be removed: another is sent and removed', async () => {
  const receiver = await startReceiver((response) => response.end());
  closers.push(receiver.close);
  for (const [condition, body] of [
    ['bad', 'x'],
    ['good', '{}'],
  ])
    await s.db.query(
      `INSERT INTO mxproof.alert_messages (id, way, condition, subject, body) VALUES ($1, 'post', $2, '', $3)`,
      [randomUUID(), condition, body],
    );
  await refuse(s.db, 'DELETE', 'alert_messages', 'condition', 'bad');
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const post = { url: receiver.url, secret, format: 'json' as const };
  const target = { isAllowed: () => true, dnsServers: [], ca: receiver.ca };
  await deliverAlerts(s.db, { ways: { post, mail: null }, target }, quiet).catch(() => {});
  await until(async () => {
    const left = await s.db.query('SELECT condition FROM mxproof.alert_messages');
    expect(left).toEqual([{ condition: 'bad' }]);
  });
  expect(receiver.received).toHaveLength(2);
});
