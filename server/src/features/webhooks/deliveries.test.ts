import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliver, deliveries, endpoint, pass, receiving, s, states, told } from '../../../test/endpoints.ts';
import { createFakeChecker } from '../../../test/fake-checker.ts';
import { type Receiver, startReceiver } from '../../../test/receiver.ts';
import { until } from '../../../test/until.ts';
import { signStandard } from '../../callback/sign.ts';
import { cancelList } from '../../flow/cancel-list.ts';
import { changeCredits } from '../../flow/change-credits.ts';
import { pauseList } from '../../flow/pause-list.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { setLowCredits } from '../../store/accounts.ts';
import { renameList } from '../../store/lists.ts';
import { enqueueDeliveries } from './schedule-deliveries.ts';
import { lockShownDelivery, reopenDelivery } from './stored-deliveries.ts';
import { lockEndpoint } from './stored-endpoints.ts';

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
  await cancelList(s.context, THE_SERVICE, cancelled.id, s.accountId);
  await pauseList(s.context, paused.id, s.accountId);
  await cancelList(s.context, THE_SERVICE, single.id, s.accountId);
  await cancelList(s.context, THE_SERVICE, paused.id, s.accountId);
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
  await changeCredits(s.db, THE_SERVICE, { accountId: s.accountId, amount: 2, note: '', key: null });
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
          await cancelList(s.context, THE_SERVICE, list.id, s.accountId);
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
  await cancelList(s.context, THE_SERVICE, list.id, s.accountId);
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
