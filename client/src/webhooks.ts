// webhooks.*: endpoints of the account, which are told of events for days; see `verifyWebhook` for the other end. Only for a
// key with `manage`, or a session; those of a test key belong to test mode.
// Promise: each method is one endpoint of the API, typed by its document.
import type {
  ChangeWebhookBody,
  CreateWebhookBody,
  GetDeliveriesQuery,
  NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookSecret,
} from './api-types.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { everyOnce, type Page } from './newest-first.ts';
import { pathId } from './path-id.ts';
import { isDoneBefore } from './refusals.ts';
import type { CallOptions, PostOptions, Transport } from './transport/transport.ts';

export type DeliveriesOptions = CallOptions & Readonly<GetDeliveriesQuery>;

export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All of them, oldest first. */
  async list(options: CallOptions = {}): Promise<Webhook[]> {
    const call = { method: 'GET', path: '/webhooks' } as const;
    return (await this.#transport.call<WebhookPage>(call, options)).body.webhooks;
  }

  /** The secret that its events are signed with is `webhook_secret`, shown only here. */
  create(webhook: Readonly<CreateWebhookBody>, options: PostOptions = {}): Promise<NewWebhook> {
    return this.#post('/webhooks', options, webhook);
  }

  async get(id: number, options: CallOptions = {}): Promise<Webhook> {
    return (await this.#transport.call<Webhook>({ method: 'GET', path: pathOf(id) }, options)).body;
  }

  /** What is left out stays. `paused: false` also switches on again what the service has switched off. */
  async update(id: number, change: Readonly<ChangeWebhookBody>, options: CallOptions = {}): Promise<Webhook> {
    const call = { method: 'PATCH', path: pathOf(id), body: change } as const;
    return (await this.#transport.call<Webhook>(call, options)).body;
  }

  /** With its deliveries, pending ones too. */
  async delete(id: number, options: CallOptions = {}): Promise<void> {
    try {
      await this.#transport.call({ method: 'DELETE', path: pathOf(id) }, options);
    } catch (error) {
      // The attempt before this one deleted it, and its answer was lost.
      if (!isDoneBefore(error, 'webhook_not_found')) throw error;
    }
  }

  /** Sends it an event of the type `test`, signed and repeated like any other. */
  test(id: number, options: PostOptions = {}): Promise<WebhookDelivery> {
    return this.#post(`${pathOf(id)}/test`, options);
  }

  /** Makes a new secret, shown only here. For 24 hours events are signed with the old one too. */
  async rotateSecret(id: number, options: PostOptions = {}): Promise<string> {
    return (await this.#post<WebhookSecret>(`${pathOf(id)}/secret`, options)).webhook_secret;
  }

  /** One page of what was sent to it, newest first, with every attempt. */
  async deliveries(
    id: number,
    { offset, limit, state, ...options }: DeliveriesOptions = {},
  ): Promise<WebhookDelivery[]> {
    const call = {
      method: 'GET',
      path: `${pathOf(id)}/deliveries`,
      query: { offset, limit, state },
    } as const;
    return (await this.#transport.call<WebhookDeliveryPage>(call, options)).body.deliveries;
  }

  /** All that was sent to it in the last 30 days, newest first, over all pages. */
  allDeliveries(
    id: number,
    options: Omit<DeliveriesOptions, 'offset' | 'limit'> = {},
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    const read = (page: Page) => this.deliveries(id, { ...options, ...page });
    return everyOnce(read, (delivery) => delivery.id);
  }

  /** Sends the same bytes again under the same `webhook-id`, with all attempts anew. */
  resend(id: number, deliveryId: string, options: PostOptions = {}): Promise<WebhookDelivery> {
    if (!/^[\w-]{1,64}$/.test(deliveryId))
      throw new TypeError('A delivery id is the webhook-id of its attempts.');
    return this.#post(`${pathOf(id)}/deliveries/${deliveryId}/resend`, options);
  }

  async #post<Answer>(path: string, options: PostOptions, body?: unknown): Promise<Answer> {
    const call = {
      method: 'POST',
      path,
      ...(body !== undefined && { body }),
      headers: idempotencyKey(options),
      // The service does not remember it: done twice, there would be two endpoints, two secrets or two events.
      repeat: 'unless_done',
    } as const;
    return (await this.#transport.call<Answer>(call, options)).body;
  }
}

function pathOf(id: number): string {
  return `/webhooks/${pathId('A webhook id', id)}`;
}
