// requests.*: what the account has changed and was refused, for a week. Only for a key with `manage`, or a session.
import type { GetRequestsQuery, LoggedRequest, RequestPage } from './api-types.ts';
import type { CallOptions, Transport } from './transport/transport.ts';

/** What the service keeps of an account, and gives at once. */
const MOST_KEPT = 10_000;

export type RequestsOptions = CallOptions & Readonly<GetRequestsQuery>;

export class Requests {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page, newest first. `id` is an `X-Request-Id`, which an error has as `requestId`. */
  async list({
    offset,
    limit,
    id,
    status,
    since,
    ...options
  }: RequestsOptions = {}): Promise<LoggedRequest[]> {
    const query = { offset, limit, id, status, since };
    const call = { method: 'GET', path: '/requests', query } as const;
    return (await this.#transport.call<RequestPage>(call, options)).body.requests;
  }

  /** All of them, newest first. */
  async *all(
    options: Omit<RequestsOptions, 'offset' | 'limit'> = {},
  ): AsyncGenerator<LoggedRequest, void, undefined> {
    yield* await this.list({ ...options, limit: MOST_KEPT });
  }
}
