// Endpoints of an account that are told of events, and a time that passes by itself, for tests.
import { afterEach, beforeEach } from 'vitest';
import { reschedule } from '../src/features/webhooks/schedule-deliveries.ts';
import { startDeliveries } from '../src/features/webhooks/start-deliveries.ts';
import { deliveriesOf } from '../src/features/webhooks/stored-deliveries.ts';
import { changeEndpoint, insertEndpoint, lockEndpoint } from '../src/features/webhooks/stored-endpoints.ts';
import { WEBHOOK_EVENTS } from '../src/rules/webhook-events.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { quiet, startTestService, type TestService } from './service.ts';

/** Of the test that runs. */
export let s: TestService;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  s = await startTestService();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await s.close();
});

export async function receiving(answer: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  closers.push(receiver.close);
  return receiver;
}

/** A node that sends. */
export function deliver(
  { ca }: Pick<Receiver, 'ca'>,
  more: { limitMs?: number } = {},
): { stop(): Promise<void> } {
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

export async function endpoint(url: string, accountId = s.accountId, events = WEBHOOK_EVENTS) {
  const made = await s.db.transaction((tx) =>
    insertEndpoint(tx, s.box, { accountId, url, events, description: '' }),
  );
  return { ...made!.endpoint, secret: made!.secret };
}

export const deliveries = (id: number) =>
  deliveriesOf(s.db, { endpointId: id, state: null, offset: 0, limit: 10_000 });
export const states = async (id: number) =>
  (await deliveries(id)).map(({ event, state }) => `${event} ${state}`);
export const pause = (id: number, paused: boolean, accountId = s.accountId) =>
  s.db.transaction(async (tx) => {
    await lockEndpoint(tx, id, accountId);
    await changeEndpoint(tx, id, { paused });
    await reschedule(tx, s.context.jobs, { id, accountId });
  });
export const told = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body.toString()));

/** Time passes: whatever is stored of it is as much longer ago. */
export async function pass(hours: number): Promise<void> {
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
