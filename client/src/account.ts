// account.*: balance, history, usage. Promise: each method is one endpoint of the API, typed by its document.
import type {
  Account as AccountBody,
  Entry,
  GetHistoryQuery,
  GetUsageQuery,
  History,
  Usage,
  UsageDay,
} from './api-types.ts';
import type { CallOptions, Transport } from './transport/transport.ts';

export type HistoryOptions = CallOptions & Readonly<GetHistoryQuery>;

export class Account {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(options: CallOptions = {}): Promise<AccountBody> {
    return (await this.#transport.call<AccountBody>({ method: 'GET', path: '/account' }, options)).body;
  }

  /** One page of what changed the balance, newest first. */
  async history({ offset, limit, kind, ...options }: HistoryOptions = {}): Promise<Entry[]> {
    const call = { method: 'GET', path: '/account/history', query: { offset, limit, kind } } as const;
    return (await this.#transport.call<History>(call, options)).body.entries;
  }

  /** Charges, refunds and results of the last days, UTC; zeros included. */
  async usage({ days, ...options }: CallOptions & Readonly<GetUsageQuery> = {}): Promise<UsageDay[]> {
    return (
      await this.#transport.call<Usage>({ method: 'GET', path: '/account/usage', query: { days } }, options)
    ).body.days;
  }
}
