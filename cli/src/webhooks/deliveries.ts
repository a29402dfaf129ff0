// webhook test|deliveries|resend: what is sent to an endpoint.

import type { WebhookDelivery } from '@mxproof/client';
import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { dateOf, plain, printJson, printLine, printTable } from '../shared/print.ts';

const PAGE_DELIVERIES = 50;

interface Options extends ServiceOptions {
  readonly json?: boolean;
}

interface DeliveriesFilter extends Options {
  readonly state?: WebhookDelivery['state'];
  readonly offset?: number;
  readonly limit?: number;
}

export async function webhookDeliveries(id: number, options: DeliveriesFilter): Promise<void> {
  const { json, state, offset = 0, limit = PAGE_DELIVERIES, ...rest } = options;
  const { mx } = await connectService(rest);
  const deliveries = await mx.webhooks.deliveries(id, { offset, limit, ...(state && { state }) });
  if (json) return printJson(deliveries);
  if (deliveries.length === 0 && offset === 0)
    return printLine(state === undefined ? 'Nothing was sent yet.' : `No deliveries are ${state}.`);
  const rows = deliveries.map((one) => [
    ...[plain(one.id), one.event, one.list_id ?? '-', one.state, dateOf(one.created_at)],
    ...[dateOf(one.next_attempt_at), one.attempts.length, lastAnswer(one)],
  ]);
  const heading = [
    'webhook-id',
    'event',
    'list',
    'state',
    'happened',
    'next attempt',
    'attempts',
    'last answer',
  ];
  printTable([heading, ...rows], { cutLast: true });
  if (deliveries.length === limit) process.stderr.write(`Older deliveries: --offset ${offset + limit}\n`);
}

function lastAnswer({ attempts }: WebhookDelivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return '-';
  return plain(
    [last.status, last.error, last.answer].filter((part) => part !== null && part !== '').join(' '),
  );
}

export async function webhookTest(id: number, { json, ...rest }: Options): Promise<void> {
  const { mx } = await connectService(rest);
  const sent = await mx.webhooks.test(id);
  if (json) return printJson(sent);
  printLine(
    `Test event ${plain(sent.id)} is on its way: "mxproof webhook deliveries ${id}" shows the answer.`,
  );
}

export async function webhookResend(id: number, event: string, { json, ...rest }: Options): Promise<void> {
  const { mx } = await connectService(rest);
  const sent = await mx.webhooks.resend(id, event);
  if (json) return printJson(sent);
  printLine(`Event ${plain(sent.id)} is on its way: "mxproof webhook deliveries ${id}" shows the answer.`);
}
