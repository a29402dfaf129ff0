import { expect, test } from 'vitest';
import { auditRowsIn } from '../../../test/audit-rows.ts';
import {
  deliver,
  deliveries,
  endpoint,
  pass,
  pause,
  receiving,
  s,
  states,
  told,
} from '../../../test/endpoints.ts';
import { lockWaits } from '../../../test/lock-waits.ts';
import { until } from '../../../test/until.ts';
import { signStandard } from '../../callback/sign.ts';
import { addKey } from '../../flow/add-key.ts';
import { cancelList } from '../../flow/cancel-list.ts';
import { deleteList } from '../../flow/delete-list.ts';
import { deleteWithUndo, undeleteList } from '../../flow/delete-with-undo.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { rotateAllWebhookSecrets } from '../../start/operate.ts';
import { setLowCredits } from '../../store/accounts.ts';
import { enqueueDeliveries } from './schedule-deliveries.ts';
import { insertTestDelivery, sweepDeliveries } from './stored-deliveries.ts';
import { type Endpoint, findEndpoint, rotateEndpointSecret } from './stored-endpoints.ts';

test('410 switches an endpoint off and drops its events, five days of failures do, and resuming it switches it on', async () => {
  let status = 410;
  const receiver = await receiving((response) => response.writeHead(status).end());
  const { id } = await endpoint(receiver.url);
  const find = async () => (await findEndpoint(s.db, id, s.accountId)) as Endpoint;
  const cause = async () => {
    const list = await s.submit(['slow@example.com']);
    await cancelList(s.context, THE_SERVICE, list.id, s.accountId);
  };
  await cause();
  await cause();
  deliver(receiver);
  await until(async () =>
    expect(await find()).toMatchObject({ offReason: 'gone', offAtSeconds: expect.any(Number) }),
  );
  await until(async () => expect(await states(id)).toEqual(['list.failed failed', 'list.failed failed']));
  const noted = async () => (await auditRowsIn(s.db)).filter(({ action }) => action === 'webhook.changed');
  const byTheService = { actor: 'service', account_id: s.accountId, subject_id: id, client: null };
  expect(await noted()).toMatchObject([{ ...byTheService, facts: { changes: { off: [null, 'gone'] } } }]);
  await cause();
  expect(await states(id)).toHaveLength(2);

  status = 500;
  await pause(id, false);
  expect(await find()).toMatchObject({ offReason: null, offAtSeconds: null });
  await cause();
  for (let days = 0; days < 5; days++) {
    await until(async () => expect((await deliveries(id)).at(0)!.attempts.length).toBeGreaterThan(0));
    expect((await find()).offReason).toBe(null);
    await pass(24);
    await cause();
  }
  await until(async () => expect((await find()).offReason).toBe('failing'));
  expect((await noted()).at(-1)).toMatchObject({
    ...{ ...byTheService, facts: { changes: { off: [null, 'failing'] } } },
  });
  expect((await states(id)).filter((each) => each.endsWith('pending'))).toEqual([]);
  expect(await s.db.query(`SELECT FROM mxproof.jobs WHERE queue = 'webhook'`)).toHaveLength(0);
});

test('what happens while an endpoint is paused is kept three days, and sent when it is resumed', async () => {
  const receiver = await receiving((response) => response.end());
  const { id } = await endpoint(receiver.url);
  deliver(receiver);
  const cause = async () => {
    const list = await s.submit(['slow@example.com']);
    await cancelList(s.context, THE_SERVICE, list.id, s.accountId);
  };
  await pause(id, true);
  await cause();
  await pass(73);
  await cause();
  await sweepDeliveries(s.db);
  expect(await states(id)).toEqual(['list.failed pending', 'list.failed failed']);
  expect(receiver.received).toHaveLength(0);
  await pause(id, false);
  await until(async () => expect(await states(id)).toEqual(['list.failed delivered', 'list.failed failed']));
  expect(receiver.received).toHaveLength(1);
  await pass(30 * 24);
  await sweepDeliveries(s.db);
  expect(await states(id)).toEqual([]);
});

test('an event that is written while its endpoint is being resumed is sent', async () => {
  const receiver = await receiving((response) => response.end());
  const { id } = await endpoint(receiver.url);
  await setLowCredits(s.db, s.accountId, 1_000_000);
  await pause(id, true);
  let resumed = Promise.resolve();
  await s.db.transaction(async (tx) => {
    await tx.query('UPDATE mxproof.accounts SET credits = credits - 1 WHERE id = $1', [s.accountId]);
    resumed = pause(id, false);
    await Promise.race([resumed, until(async () => expect(await lockWaits(s.db)).toBe(1))]);
  });
  await resumed;
  deliver(receiver);
  await until(async () => expect(await states(id)).toEqual(['credits.low delivered']), 20_000);
});

test('a deleted list’s events go with it: at once, or while its deletion may be undone they wait', async () => {
  const receiver = await receiving((response) => response.end());
  const { id } = await endpoint(receiver.url);
  const [gone, hidden] = [await s.submit(['slow@example.com']), await s.submit(['slow@example.com'])];
  for (const list of [gone, hidden]) await cancelList(s.context, THE_SERVICE, list.id, s.accountId);
  await deleteList(s.context, THE_SERVICE, gone.id, s.accountId);
  await deleteWithUndo(s.context, THE_SERVICE, hidden.id, s.accountId, 3600);
  expect(await deliveries(id)).toEqual([]);
  deliver(receiver);
  await until(async () => {
    const waiting = await s.db.query(`SELECT FROM mxproof.jobs WHERE queue = 'webhook' AND due_at > now()`);
    expect(waiting).toHaveLength(1);
  });
  await undeleteList(s.context, THE_SERVICE, hidden.id, s.accountId);
  await pass(1);
  await until(async () => expect(await states(id)).toEqual(['list.failed delivered']));
  expect(told(receiver).map(({ data }) => data.id)).toEqual([hidden.id]);
});

test('an endpoint that never answers keeps no other waiting, neither its account’s nor another’s', async () => {
  const silent = await receiving(() => {});
  const receiver = await receiving((response) => response.end());
  const bad = await endpoint(silent.url);
  const good = await endpoint(receiver.url);
  const other = await s.open();
  const theirs = await endpoint(receiver.url, other);
  for (let n = 0; n < 30; n++)
    await s.db.transaction(async (tx) => {
      const { id } = await insertTestDelivery(tx, bad.id);
      await enqueueDeliveries(tx, s.context.jobs, { id: bad.id, accountId: s.accountId }, [id]);
    });
  for (const [{ id }, accountId] of [
    [good, s.accountId],
    [theirs, other],
  ] as const)
    await s.db.transaction(async (tx) => {
      const delivery = await insertTestDelivery(tx, id);
      await enqueueDeliveries(tx, s.context.jobs, { id, accountId }, [delivery.id]);
    });
  deliver(receiver, { limitMs: 600_000 });
  for (const { id } of [good, theirs])
    await until(async () => expect(await states(id)).toEqual(['test delivered']));
  expect(silent.received.length).toBeLessThanOrEqual(4);
  expect(told(receiver)).toMatchObject([
    { type: 'test', data: {} },
    { type: 'test', data: {} },
  ]);
});

test.each([
  ['a time that is none', `webhook_deliveries SET created_at = 'infinity' WHERE endpoint_id = $1`],
  ['attempts that are no array', `webhook_deliveries SET attempts = '3' WHERE endpoint_id = $1`],
  ['a URL that is none', 'webhook_endpoints SET url = $$x$$ WHERE id = $1'],
  ['a secret that does not open', `webhook_endpoints SET secret = 'x' WHERE id = $1`],
])('%s: a neighbour’s event is delivered', async (_, poison) => {
  const receiver = await receiving((response) => response.end());
  const bad = await endpoint(receiver.url);
  const good = await endpoint(receiver.url);
  const list = await s.submit(['slow@example.com']);
  await cancelList(s.context, THE_SERVICE, list.id, s.accountId);
  await s.db.query(`UPDATE mxproof.${poison}`, [bad.id]);
  deliver(receiver);
  await until(async () => expect(await states(good.id)).toEqual(['list.failed delivered']));
});

test('a node that is killed after it has sent sends again, with the same id', async () => {
  let answers = 0;
  const receiver = await receiving((response) => {
    answers += 1;
    if (answers > 1) response.end();
  });
  const { id } = await endpoint(receiver.url);
  const list = await s.submit(['slow@example.com']);
  await cancelList(s.context, THE_SERVICE, list.id, s.accountId);
  const first = deliver(receiver);
  await until(() => expect(receiver.received).toHaveLength(1));
  await first.stop();
  await s.db.query(`UPDATE mxproof.jobs SET is_claimed = false WHERE queue = 'webhook'`);
  deliver(receiver);
  await until(async () => expect(await states(id)).toEqual(['list.failed delivered']));
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('both secrets sign for a day after one is replaced, and a lost key leaves endpoints that need a new one', async () => {
  const receiver = await receiving((response) => response.end());
  const { id, secret } = await endpoint(receiver.url);
  const next = (await s.db.transaction((tx) => rotateEndpointSecret(tx, s.box, id, s.accountId)))!;
  deliver(receiver);
  const sendTest = () =>
    s.db.transaction(async (tx) => {
      const delivery = await insertTestDelivery(tx, id);
      await enqueueDeliveries(tx, s.context.jobs, { id, accountId: s.accountId }, [delivery.id]);
    });
  await sendTest();
  await until(async () => expect(await states(id)).toEqual(['test delivered']));
  await pass(25);
  await sendTest();
  await until(async () => expect(await states(id)).toEqual(['test delivered', 'test delivered']));
  for (const [place, secrets] of [[next, secret], [next]].entries()) {
    const { headers, body } = receiver.received[place]!;
    const signed = {
      id: String(headers['webhook-id']),
      timestampSeconds: Number(headers['webhook-timestamp']),
      body,
    };
    expect(headers['webhook-signature']).toBe(secrets.map((each) => signStandard(each, signed)).join(' '));
  }
  await rotateAllWebhookSecrets(s.db, THE_SERVICE, s.box);
  await sendTest();
  await until(async () =>
    expect((await deliveries(id))[0]!.attempts).toMatchObject([
      { error: 'the webhook secret does not open' },
    ]),
  );
  expect(await s.db.transaction((tx) => rotateEndpointSecret(tx, s.box, id, s.accountId))).toMatch(/^whsec_/);
});

test('events of test mode say so in their id, and go to endpoints of test mode alone', async () => {
  const receiver = await receiving((response) => response.end());
  const live = await endpoint(receiver.url);
  await s.db.transaction((tx) =>
    addKey(tx, THE_SERVICE, { accountId: s.accountId, label: 'tests', manage: true, test: true }),
  );
  const [twin] = await s.db.query<{ id: number }>('SELECT id FROM mxproof.accounts WHERE test_of = $1', [
    s.accountId,
  ]);
  const tests = await endpoint(receiver.url, twin!.id);
  const list = await s.submit(['ok@example.com'], { accountId: twin!.id });
  await cancelList(s.context, THE_SERVICE, list.id, twin!.id);
  deliver(receiver);
  await until(async () => expect(await states(tests.id)).toEqual(['list.failed delivered']));
  expect(await states(live.id)).toEqual([]);
  expect(receiver.received[0]!.headers['webhook-id']).toMatch(/^test_/);
});
