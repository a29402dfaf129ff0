// account.*: balance, history, usage, keys, the webhook secret, erasing an address.
// Promise: each method is one endpoint of the API, typed by its document.
import type {
  Account as AccountBody,
  BegunErasure,
  CreateKeyBody,
  Entry,
  EraseAddressBody,
  Erasure,
  GetAccountQuery,
  GetHistoryQuery,
  GetUsageQuery,
  History,
  Key,
  KeyPage,
  NewKey,
  RenameAccountBody,
  Usage,
  UsageDay,
  WebhookSecret,
} from './api-types.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { newestFirst } from './newest-first.ts';
import { pathId } from './path-id.ts';
import { isDoneBefore } from './refusals.ts';
import { ACCOUNT, shaped } from './shapes.ts';
import type { CallOptions, PostOptions, Transport } from './transport/transport.ts';

type AccountInclude = NonNullable<GetAccountQuery['include']>[number];

export interface AccountOptions extends CallOptions {
  readonly include?: AccountInclude | readonly AccountInclude[];
}
export type HistoryOptions = CallOptions & Readonly<GetHistoryQuery>;

export class Account {
  readonly #transport: Transport;
  readonly keys: Keys;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.keys = new Keys(transport);
  }

  /** `include` adds `retention`, how long the account keeps its data, or `settings`, what `update` sets besides the name. */
  async get({ include, ...options }: AccountOptions = {}): Promise<AccountBody> {
    const call = { method: 'GET', path: '/account', query: { include } } as const;
    const { body } = await this.#transport.call(call, options);
    return shaped(body, ACCOUNT, 'the account');
  }

  /** 1 to 200 printable characters; only with a live key that may manage keys. */
  rename(name: string, options: CallOptions = {}): Promise<AccountBody> {
    return this.update({ name }, options);
  }

  /**
   * What is left out stays; only with a key that may manage keys. With `low_credits`, endpoints are told `credits.low` once
   * when fewer are left; null: never. With `outcomes`, what became of mail is taken (`outcomes.send`); false deletes what was
   * taken. Both are of the mode of the key.
   */
  async update(change: Readonly<RenameAccountBody>, options: CallOptions = {}): Promise<AccountBody> {
    const call = { method: 'PATCH', path: '/account', body: change } as const;
    const { body } = await this.#transport.call(call, options);
    return shaped(body, ACCOUNT, 'the account');
  }

  /** One page of what changed the balance, newest first. */
  async history({ offset, limit, kind, ...options }: HistoryOptions = {}): Promise<Entry[]> {
    const call = { method: 'GET', path: '/account/history', query: { offset, limit, kind } } as const;
    return (await this.#transport.call<History>(call, options)).body.entries;
  }

  /** All that changed the balance, newest first, over all pages. */
  allHistory(options: Omit<HistoryOptions, 'offset' | 'limit'> = {}): AsyncGenerator<Entry, void, undefined> {
    return newestFirst(
      (page) => this.history({ ...options, ...page }),
      ({ id }) => id,
    );
  }

  /** Charges, refunds and results of the last days, UTC; zeros included. */
  async usage({ days, ...options }: CallOptions & Readonly<GetUsageQuery> = {}): Promise<UsageDay[]> {
    const call = { method: 'GET', path: '/account/usage', query: { days } } as const;
    return (await this.#transport.call<Usage>(call, options)).body.days;
  }

  /** Erases an address from all lists of the account, in the background; only with a key that may manage keys. Returns the id. */
  async erase(email: string, options: CallOptions = {}): Promise<number> {
    // Asked for twice, it is the same erasure.
    const call = { method: 'POST', path: '/erase', body: { email } satisfies EraseAddressBody } as const;
    return (await this.#transport.call<BegunErasure>(call, options)).body.id;
  }

  /** How far an erasure is. */
  async erasure(id: number, options: CallOptions = {}): Promise<Erasure> {
    const path = `/erase/${pathId("An erasure's id", id)}`;
    return (await this.#transport.call<Erasure>({ method: 'GET', path }, options)).body;
  }

  /** Makes a new webhook secret, shown only here. For 24 hours callbacks are signed with the old one too. */
  async webhookSecret(options: PostOptions = {}): Promise<string> {
    const call = {
      method: 'POST',
      path: '/account/webhook-secret',
      headers: idempotencyKey(options),
      // A second one would push out the secret that is still in use.
      repeat: 'unless_done',
    } as const;
    return (await this.#transport.call<WebhookSecret>(call, options)).body.webhook_secret;
  }
}

/** account.keys.*: only for a key with `manage`, or a session. */
class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(options: CallOptions = {}): Promise<Key[]> {
    return (await this.#transport.call<KeyPage>({ method: 'GET', path: '/keys' }, options)).body.keys;
  }

  /** The key itself is `api_key`, shown only here. */
  async create(key: Readonly<CreateKeyBody>, options: PostOptions = {}): Promise<NewKey> {
    const call = {
      method: 'POST',
      path: '/keys',
      body: key,
      headers: idempotencyKey(options),
      // Not retried: a key whose response was lost would exist without its owner knowing it.
      repeat: 'unless_done',
    } as const;
    return (await this.#transport.call<NewKey>(call, options)).body;
  }

  async delete(id: number, options: CallOptions = {}): Promise<void> {
    const path = `/keys/${pathId('A key id', id)}`;
    try {
      await this.#transport.call({ method: 'DELETE', path }, options);
    } catch (error) {
      // The attempt before this one deleted it, and its answer was lost.
      if (!isDoneBefore(error, 'key_not_found')) throw error;
    }
  }
}
