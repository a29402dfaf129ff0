// lists.* and callbacks.*: those of all accounts, never an address of them.
// Promise: each method is one endpoint of the interface, typed by its document.
import { everyOnce, newestFirst } from '../newest-first.ts';
import { pathId } from '../path-id.ts';
import type { CallOptions, PostOptions, Transport } from '../transport/transport.ts';
import {
  ADMIN_CALLBACK_PAGE,
  ADMIN_LIST,
  ADMIN_LIST_PAGE,
  ADMIN_RESENDING,
  LIST_WAITING,
} from './admin-shapes.ts';
import type {
  AdminCallback,
  AdminList,
  AdminResending,
  GetAllCallbacksQuery,
  GetAllListsQuery,
  ListWaiting,
} from './admin-types.ts';
import { ask, post } from './ask.ts';

export type AllListsOptions = CallOptions & Readonly<GetAllListsQuery>;
export type AllCallbacksOptions = CallOptions & Readonly<GetAllCallbacksQuery>;

export class AllLists {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page, newest first; with `stuck` oldest first, and only unfinished ones that nothing moves. */
  async list({
    account,
    status,
    stuck,
    offset,
    limit,
    ...options
  }: AllListsOptions = {}): Promise<AdminList[]> {
    const query = { account, status, stuck, offset, limit };
    const call = { method: 'GET', path: '/lists', query } as const;
    return (await ask(this.#transport, call, options, ADMIN_LIST_PAGE, 'a page of lists')).lists;
  }

  /** Every list, in the order of `list`, over all pages. */
  all(options: Omit<AllListsOptions, 'offset' | 'limit'> = {}): AsyncGenerator<AdminList, void, undefined> {
    const inOrder = options.stuck ? everyOnce : newestFirst;
    return inOrder(
      (page) => this.list({ ...options, ...page }),
      ({ id }) => id,
    );
  }

  /** What its addresses without a result wait for, and when it is done at the latest. */
  async waiting(id: number, options: CallOptions = {}): Promise<ListWaiting> {
    const call = { method: 'GET', path: `${listPath(id)}/waiting` } as const;
    return ask(this.#transport, call, options, LIST_WAITING, 'what a list waits for');
  }

  /** Ends it as `failed`: what is checked stays, the rest is refunded. */
  async cancel(id: number, options: PostOptions = {}): Promise<AdminList> {
    return ask(this.#transport, post(`${listPath(id)}/cancel`, options), options, ADMIN_LIST, 'a list');
  }
}

export class AllCallbacks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page, those of the newest lists first. */
  async list({
    account,
    state,
    offset,
    limit,
    ...options
  }: AllCallbacksOptions = {}): Promise<AdminCallback[]> {
    const query = { account, state, offset, limit };
    const call = { method: 'GET', path: '/callbacks', query } as const;
    const page = await ask(this.#transport, call, options, ADMIN_CALLBACK_PAGE, 'a page of callbacks');
    return page.callbacks;
  }

  /** Every callback, those of the newest lists first, over all pages. */
  all(
    options: Omit<AllCallbacksOptions, 'offset' | 'limit'> = {},
  ): AsyncGenerator<AdminCallback, void, undefined> {
    return newestFirst(
      (page) => this.list({ ...options, ...page }),
      ({ list_id }) => list_id,
    );
  }

  /** Sends the callback of a list again, the same bytes, with all attempts anew. */
  async resend(listId: number, options: PostOptions = {}): Promise<AdminResending> {
    const call = post(`/callbacks/${pathId('A list id', listId)}/resend`, options);
    return ask(this.#transport, call, options, ADMIN_RESENDING, 'a callback on its way');
  }
}

function listPath(id: number): string {
  return `/lists/${pathId('A list id', id)}`;
}
