// webhook ls|create|show|set|pause|resume|rm|secret: the endpoints of the key's account.

import type { MXProof, NewWebhook, Webhook } from '@mxproof/client';
import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { askYes, canAsk } from '../shared/ask.ts';
import { EXIT } from '../shared/exit-status.ts';
import { dateOf, plain, printJson, printLine, printTable } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';

interface Options extends ServiceOptions {
  readonly json?: boolean;
}

interface Given extends Options {
  readonly events?: Webhook['events'];
  readonly description?: string;
}

const OFF: Readonly<Record<NonNullable<Webhook['off_reason']>, string>> = {
  gone: 'it answered 410',
  failing: 'for five days no attempt succeeded',
};

export async function webhookLs({ json, ...rest }: Options): Promise<void> {
  const { mx } = await connectService(rest);
  const webhooks = await mx.webhooks.list();
  if (json) return printJson(webhooks);
  if (webhooks.length === 0)
    return printLine('No webhook endpoints yet: "mxproof webhook create <address>" makes one.');
  const rows = webhooks.map((one) => [one.id, stateOf(one), one.events.join(','), plain(one.url)]);
  printTable([['webhook', 'state', 'events', 'address'], ...rows], { cutLast: true });
}

export async function webhookCreate(
  url: string,
  options: Given & { events: Webhook['events'] },
): Promise<void> {
  const { json, events, description, ...rest } = options;
  const { mx } = await connectService(rest);
  const made = await mx.webhooks.create({ url, events, ...(description !== undefined && { description }) });
  if (json) return printJson(made);
  printTable([...rowsOf(made), ['secret', plain(made.webhook_secret)]]);
  printLine('The secret is shown only once. "mxproof webhook test" sends a first event.');
}

export async function webhookShow(id: number, { json, ...rest }: Options): Promise<void> {
  const { mx } = await connectService(rest);
  print(await mx.webhooks.get(id), json);
}

export async function webhookSet(id: number, options: Given & { readonly address?: string }): Promise<void> {
  const { json, address, events, description, ...rest } = options;
  const change = {
    ...(address !== undefined && { url: address }),
    ...(events !== undefined && { events }),
    ...(description !== undefined && { description }),
  };
  if (Object.keys(change).length === 0)
    throw new UsageError('Nothing to change: pass --address, --events or --description.');
  const { mx } = await connectService(rest);
  print(await mx.webhooks.update(id, change), json);
}

export async function webhookPause(id: number, { json, ...rest }: Options): Promise<void> {
  const { mx } = await connectService(rest);
  const webhook = await mx.webhooks.update(id, { paused: true });
  if (json) return printJson(webhook);
  printLine(
    `Webhook ${id} paused: its events are kept for three days. "mxproof webhook resume ${id}" sends them.`,
  );
}

export async function webhookResume(id: number, { json, ...rest }: Options): Promise<void> {
  const { mx } = await connectService(rest);
  const webhook = await mx.webhooks.update(id, { paused: false });
  if (json) return printJson(webhook);
  printLine(`Webhook ${id} is on.`);
}

export async function webhookRm(id: number, options: Options & { readonly yes?: boolean }): Promise<number> {
  const { json, yes, ...rest } = options;
  const { mx } = await connectService(rest);
  if (!yes && !(await confirmed(mx, id))) {
    printLine('Nothing was deleted.');
    return EXIT.failed;
  }
  await mx.webhooks.delete(id);
  if (json) printJson({ webhook_id: id, deleted: true });
  else printLine(`Webhook ${id} deleted.`);
  return EXIT.ok;
}

async function confirmed(mx: MXProof, id: number): Promise<boolean> {
  if (!canAsk()) throw new UsageError('Not a terminal: pass --yes to delete the endpoint.');
  const { url } = await mx.webhooks.get(id);
  return askYes(`Delete webhook ${id}, ${plain(url)}, and the events that it was not told of yet?`);
}

export async function webhookSecret(id: number, { json, ...rest }: Options): Promise<void> {
  const { mx } = await connectService(rest);
  const secret = await mx.webhooks.rotateSecret(id);
  if (json) return printJson({ webhook_id: id, webhook_secret: secret });
  printLine(`New secret of webhook ${id}: ${plain(secret)}`);
  printLine('It is shown only once. For 24 hours events are signed with the old one too.');
}

function print(webhook: Webhook, json = false): void {
  if (json) printJson(webhook);
  else printTable(rowsOf(webhook));
}

function rowsOf(webhook: Webhook | NewWebhook): [string, string | number][] {
  return [
    ['webhook', webhook.id],
    ['address', plain(webhook.url)],
    ['events', webhook.events.join(', ')],
    ['description', plain(webhook.description)],
    ['state', longStateOf(webhook)],
    ['created', dateOf(webhook.created_at)],
  ];
}

function stateOf({ paused_at, off_at }: Webhook): string {
  if (off_at !== null) return 'off';
  return paused_at === null ? 'on' : 'paused';
}

function longStateOf(webhook: Webhook): string {
  const { paused_at, off_at, off_reason } = webhook;
  if (off_at !== null)
    return `off since ${dateOf(off_at)}: ${off_reason === null ? 'switched off' : OFF[off_reason]}`;
  return paused_at === null ? 'on' : `paused since ${dateOf(paused_at)}`;
}
