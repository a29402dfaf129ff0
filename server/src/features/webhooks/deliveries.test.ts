import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../../test/fake-checker.ts';
import { lockWaits } from '../../../test/lock-waits.ts';
import { type Receiver, startReceiver } from '../../../test/receiver.ts';
import { quiet, startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { signStandard } from '../../callback/sign.ts';
import { addKey } from '../../flow/add-key.ts';
import { cancelList } from '../../flow/cancel-list.ts';
import { changeCredits } from '../../flow/change-credits.ts';
import { deleteList } from '../../flow/delete-list.ts';
import { deleteWithUndo, undeleteList } from '../../flow/delete-with-undo.ts';
import { pauseList } from '../../flow/pause-list.ts';
import { WEBHOOK_EVENTS } from '../../rules/webhook-events.ts';
import { rotateAllWebhookSecrets } from '../../start/operate.ts';
import { setLowCredits } from '../../store/accounts.ts';
import { renameList } from '../../store/lists.ts';
import { enqueueDeliveries, reschedule } from './schedule-deliveries.ts';
import { startDeliveries } from './start-deliveries.ts';
import {
  deliveriesOf,
  insertTestDelivery,
  lockShownDelivery,
  reopenDelivery,
  sweepDeliveries,
} from './stored-deliveries.ts';
import {
  changeEndpoint,
  type Endpoint,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  rotateEndpointSecret,
} from './stored-endpoints.ts';

let s: TestService;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  s = await startTestService();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await s.close();
});

async function receiving(answer: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  closers.push(receiver.close);
  return receiver;
}

/** A node that sends. */
function deliver({ ca }: Pick<Receiver, 'ca'>, more: { limitMs?: number } = {}): { stop(): Promise<void> } {
  const sending = startDeliveries({
    context: s.context,
    box: s.box,
    log: quiet,
    stopGraceMs: 100,
    settings: { isAllowed: () => true, dnsServers: [], ca, ...more },
  });
  closers.push(sending.stop);
  return sending;
}

async function endpoint(url: string, accountId = s.accountId, events = WEBHOOK_EVENTS) {
  const made = await s.db.transaction((tx) =>
    insertEndpoint(tx, s.box, { accountId, url, events, description: '' }),
  );
  return { ...made!.endpoint, secret: made!.secret };
}

const deliveries = (id: number) =>
  deliveriesOf(s.db, { endpointId: id, state: null, offset: 0, limit: 10_000 });
const states = async (id: number) => (await deliveries(id)).map(({ event, state }) => `${event} ${state}`);
const pause = (id: number, paused: boolean, accountId = s.accountId) =>
  s.db.transaction(async (tx) => {
    await lockEndpoint(tx, id, accountId);
    await changeEndpoint(tx, id, { paused });
    await reschedule(tx, s.context.jobs, { id, accountId });
  });
const told = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body.toString()));

/** Time passes: whatever is stored of it is as much longer ago. */
async function pass(hours: number): Promise<void> {
  for (const column of [
    'jobs.due_at',
    'webhook_endpoints.failing_since',
    'webhook_endpoints.previous_secret_until',
    'webhook_deliveries.created_at',
    'webhook_deliveries.begun_at',
    'webhook_deliveries.next_attempt_at',
  ]) {
    const [table, name] = column.split('.');
    await s.db.query(`UPDATE mxproof.${table} SET ${name} = ${name} - make_interval(hours => $1)`, [hours]);
  }
}

test('an endpoint is told of a list’s end once, signed with its own secret, with the list as it was then', async () => {
  const receiver = await receiving((response) => response.end('thanks'));
  const { id, secret } = await endpoint(receiver.url);
  await s.node(createFakeChecker());
  const list = await s.submit(['ok@example.com', 'unknown@example.com'], { name: 'Spring' });
  await s.done(list.id);
  deliver(receiver);
  await until(async () => expect(await states(id)).toEqual(['list.done delivered']));
  const [{ headers, body }] = receiver.received as [Receiver['received'][number]];
  const message = JSON.parse(body.toString());
  expect(message).toEqual({
    type: 'list.done',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: {
      ...{ id: list.id, name: 'Spring', status: 'done', total: 2, duplicates_removed: 0, checked: 2 },
      counts: { deliverable: 1, risky: 0, undeliverable: 0, unknown: 1 },
      ...{ created_at: list.createdAtSeconds, finished_at: expect.any(Number) },
    },
  });
  const [delivery] = await deliveries(id);
  expect(headers['webhook-id']).toBe(delivery!.uuid);
  const signed = { id: delivery!.uuid, timestampSeconds: Number(headers['webhook-timestamp']), body };
  expect(headers['webhook-signature']).toBe(signStandard(secret, signed));
  expect(delivery!.attempts).toMatchObject([{ status: 200, error: null, answer: 'thanks' }]);
});

test('every end of a list and every pause is told, single checks are not, and only what was asked for', async () => {
  const receiver = await receiving((response) => response.end());
  const all = await endpoint(receiver.url);
  const some = await endpoint(receiver.url, s.accountId, ['list.failed'] as never);
  const other = await endpoint(receiver.url, await s.open());
  const [cancelled, paused, single] = [
    await s.submit(['slow@example.com']),
    await s.submit(['slow@example.com']),
    await s.submit(['ok@example.com'], { single: true }),
  ];
  await cancelList(s.context, cancelled.id, s.accountId);
  await pauseList(s.context, paused.id, s.accountId);
  await cancelList(s.context, single.id, s.accountId);
  await cancelList(s.context, paused.id, s.accountId);
  deliver(receiver);
  await until(async () =>
    expect(await states(all.id)).toEqual([
      'list.failed delivered',
      'list.paused delivered',
      'list.failed delivered',
    ]),
  );
  await until(async () =>
    expect(await states(some.id)).toEqual(['list.failed delivered', 'list.failed delivered']),
  );
  expect(await states(other.id)).toEqual([]);
  // The pause is told as it was, though the list has ended since.
  const pauses = told(receiver).filter(({ type }) => type === 'list.paused');
  expect(pauses).toMatchObject([{ data: { id: paused.id, status: 'processing', finished_at: null } }]);
});

test('low credits are told once for each time that they fall below', async () => {
  const receiver = await receiving((response) => response.end());
  const { id } = await endpoint(receiver.url);
  await setLowCredits(s.db, s.accountId, 999_998);
  const spend = () => s.submit(['slow@example.com']);
  await spend();
  await spend();
  expect(await states(id)).toEqual([]);
  await spend();
  await spend();
  expect(await states(id)).toEqual(['credits.low pending']);
  await changeCredits(s.db, { accountId: s.accountId, amount: 2, note: '', key: null });
  await spend();
  deliver(receiver);
  await until(async () =>
    expect(await states(id)).toEqual(['credits.low delivered', 'credits.low delivered']),
  );
  for (const { data } of told(receiver)) expect(data).toEqual({ credits: 999_997, low_credits: 999_998 });
});

test('an event is there if and only if its cause is: a transaction that fails leaves none', async () => {
  const { id } = await endpoint('https://localhost:1/');
  await setLowCredits(s.db, s.accountId, 1_000_000);
  const failing = s.db.transaction(async (tx) => {
    await tx.query('UPDATE mxproof.accounts SET credits = credits - 1 WHERE id = $1', [s.accountId]);
    expect(await tx.query('SELECT FROM mxproof.webhook_deliveries')).toHaveLength(1);
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  expect(await states(id)).toEqual([]);
});

test('an endpoint that is down for a day loses nothing, and what it gets twice has the same id and bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.constant('event' as const),
          fc.integer({ min: 1, max: 8 }),
          fc.constantFrom('lost answer' as const, 'node dies' as const),
        ),
        { maxLength: 8 },
      ),
      async (steps) => {
        let answer: 'down' | 'lost' | 'up' = 'down';
        const receiver = await startReceiver((response) => {
          // Taken, and the sender does not come to know of it.
          if (answer === 'lost') response.destroy();
          else response.writeHead(answer === 'up' ? 204 : 503).end();
        });
        const { id } = await endpoint(receiver.url);
        const caused: number[] = [];
        const cause = async () => {
          const list = await s.submit(['slow@example.com']);
          await cancelList(s.context, list.id, s.accountId);
          caused.push(list.id);
        };
        const idle = () =>
          until(async () => {
            const due = await s.db.query('SELECT FROM mxproof.jobs WHERE due_at <= now() AND queue = $1', [
              'webhook',
            ]);
            expect(due).toHaveLength(0);
          });
        await cause();
        let hours = 0;
        let sending = deliver(receiver);
        for (const step of [...steps, 24]) {
          if (step === 'event') await cause();
          else if (step === 'lost answer') answer = answer === 'lost' ? 'down' : 'lost';
          else if (step === 'node dies') {
            // Its claims lapse as those of a node that was killed.
            await sending.stop();
            await s.db.query(`UPDATE mxproof.jobs SET due_at = now() WHERE queue = 'webhook'`);
            sending = deliver(receiver);
          } else {
            hours += step;
            await pass(step);
          }
          await idle();
        }
        expect(hours).toBeGreaterThanOrEqual(24);
        answer = 'up';
        await pass(12);
        await until(async () => expect(await states(id)).toEqual(caused.map(() => 'list.failed delivered')));
        const bytes = new Map<unknown, string>();
        for (const { headers, body } of receiver.received) {
          const known = bytes.get(headers['webhook-id']);
          expect(body.toString()).toBe(known ?? body.toString());
          bytes.set(headers['webhook-id'], body.toString());
        }
        expect([...bytes.values()].map((body) => JSON.parse(body).data.id).sort()).toEqual(caused.sort());
        await sending.stop();
        await receiver.close();
        await s.db.query('DELETE FROM mxproof.webhook_endpoints');
      },
    ),
    { numRuns: 6 },
  );
});

test('after three days nothing more is sent, and a resend makes every attempt anew with the same bytes', async () => {
  let status = 500;
  const receiver = await receiving((response) => response.writeHead(status).end('no\u0007 way\n'.repeat(90)));
  const { id } = await endpoint(receiver.url);
  const list = await s.submit(['slow@example.com']);
  await cancelList(s.context, list.id, s.accountId);
  deliver(receiver);
  for (let made = 1; made <= 7; made++) {
    await until(async () => expect((await deliveries(id))[0]!.attempts).toHaveLength(made));
    await pass(12);
  }
  await until(async () => expect(await states(id)).toEqual(['list.failed failed']));
  await renameList(s.db, list.id, s.accountId, 'another name');
  status = 200;
  const { uuid, attempts } = (await deliveries(id))[0]!;
  expect(attempts[0]!.answer).toMatch(/^no {2}way no {2}way/);
  expect(attempts[0]!.answer!.length).toBeLessThanOrEqual(500);
  await s.db.transaction(async (tx) => {
    await lockEndpoint(tx, id, s.accountId);
    const found = await lockShownDelivery(tx, id, uuid);
    await reopenDelivery(tx, found!.id);
    await enqueueDeliveries(tx, s.context.jobs, { id, accountId: s.accountId }, [found!.id]);
  });
  await until(async () => expect(await states(id)).toEqual(['list.failed delivered']));
  expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('410 switches an endpoint off and drops its events, five days of failures do, and resuming it switches it on', async () => {
  let status = 410;
  const receiver = await receiving((response) => response.writeHead(status).end());
  const { id } = await endpoint(receiver.url);
  const find = async () => (await findEndpoint(s.db, id, s.accountId)) as Endpoint;
  const cause = async () => {
    const list = await s.submit(['slow@example.com']);
    await cancelList(s.context, list.id, s.accountId);
  };
  await cause();
  await cause();
  deliver(receiver);
  await until(async () =>
    expect(await find()).toMatchObject({ offReason: 'gone', offAtSeconds: expect.any(Number) }),
  );
  await until(async () => expect(await states(id)).toEqual(['list.failed failed', 'list.failed failed']));
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
  expect((await states(id)).filter((each) => each.endsWith('pending'))).toEqual([]);
  expect(await s.db.query(`SELECT FROM mxproof.jobs WHERE queue = 'webhook'`)).toHaveLength(0);
});

test('what happens while an endpoint is paused is kept three days, and sent when it is resumed', async () => {
  const receiver = await receiving((response) => response.end());
  const { id } = await endpoint(receiver.url);
  deliver(receiver);
  const cause = async () => {
    const list = await s.submit(['slow@example.com']);
    await cancelList(s.context, list.id, s.accountId);
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
  for (const list of [gone, hidden]) await cancelList(s.context, list.id, s.accountId);
  await deleteList(s.context, gone.id, s.accountId);
  await deleteWithUndo(s.context, hidden.id, s.accountId, 3600);
  expect(await deliveries(id)).toEqual([]);
  deliver(receiver);
  await until(async () => {
    const waiting = await s.db.query(`SELECT FROM mxproof.jobs WHERE queue = 'webhook' AND due_at > now()`);
    expect(waiting).toHaveLength(1);
  });
  await undeleteList(s.context, hidden.id, s.accountId);
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
  await cancelList(s.context, list.id, s.accountId);
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
  await cancelList(s.context, list.id, s.accountId);
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
  await rotateAllWebhookSecrets(s.db, s.box);
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
    addKey(tx, { accountId: s.accountId, label: 'tests', manage: true, test: true }),
  );
  const [twin] = await s.db.query<{ id: number }>('SELECT id FROM mxproof.accounts WHERE test_of = $1', [
    s.accountId,
  ]);
  const tests = await endpoint(receiver.url, twin!.id);
  const list = await s.submit(['ok@example.com'], { accountId: twin!.id });
  await cancelList(s.context, list.id, twin!.id);
  deliver(receiver);
  await until(async () => expect(await states(tests.id)).toEqual(['list.failed delivered']));
  expect(await states(live.id)).toEqual([]);
  expect(receiver.received[0]!.headers['webhook-id']).toMatch(/^test_/);
});
