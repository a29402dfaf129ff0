// lists.*: everything about lists. Promise: each method is one endpoint of the API, typed by its document.
import type {
  Breakdown,
  Callback,
  Corrections,
  CorrectListBody,
  CreateListBody,
  DeleteListQuery,
  Evidence,
  GetListQuery,
  GetListsQuery,
  Group,
  ListFile,
  ListPage,
  ListSummary,
  ListWaiting,
  RenameListBody,
  Retries,
} from './api-types.ts';
import { followList } from './follow-list.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { newestFirst } from './newest-first.ts';
import { type Page, type ResultsOptions, readCsv, readPage, readResults } from './read-results.ts';
import { isDoneBefore, type RefusalKind } from './refusals.ts';
import { LIST, shaped } from './shapes.ts';
import type { CallOptions, PostOptions, Transport } from './transport/transport.ts';
import { getList, listId, type WaitOptions, waitForList } from './wait-for-list.ts';

export interface NewList {
  readonly emails: readonly string[];
  readonly name?: string;
  /** https only; see `verifyCallback` for the other end. */
  readonly callbackUrl?: string;
  /** Lists of one group are shown as one: 1 to 64 of A–Z, a–z, 0–9, `_` and `-`. */
  readonly group?: string;
  /** What it was made of: kept with the list, and given back with `include: 'file'`. */
  readonly file?: ListFile;
  /** In a browser, signed in as a member: mail them when it is done. Default: as they have chosen for all of their lists. */
  readonly mailWhenDone?: boolean | undefined;
}

type ListInclude = NonNullable<GetListQuery['include']>[number];

/**
 * One field to add, or several: `group`, the group that the list is of; `email`, the address of a single check;
 * `retention`, when the results are deleted (`results_expire_at`) or were (`results_expired_at`);
 * `paused`, since when it is paused (`paused_at`); `file`, the file it was made of.
 */
export interface ListOptions extends CallOptions {
  readonly include?: ListInclude | readonly ListInclude[];
}
export type ListsOptions = ListOptions & Readonly<Omit<GetListsQuery, 'include'>>;

/** `idempotencyKey` too: programs may pass the same options to every call. */
const DELETE_OPTIONS = ['undo', 'signal', 'maxRetries', 'timeoutMs', 'deadlineMs', 'idempotencyKey'];

export class Lists {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Submits at most 100,000 addresses; more are for `verifyMany`. Charged once, however often it is retried. */
  async create(
    { emails, name, callbackUrl, group, file, mailWhenDone }: NewList,
    options: PostOptions = {},
  ): Promise<ListSummary> {
    const body = {
      emails: emails as string[],
      ...(name !== undefined && { name }),
      ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
      ...(group !== undefined && { group }),
      ...(file !== undefined && { file }),
      ...(mailWhenDone !== undefined && { mail_when_done: mailWhenDone }),
    } satisfies CreateListBody;
    const call = { method: 'POST', path: '/lists', body, headers: idempotencyKey(options) } as const;
    return shaped((await this.#transport.call(call, options)).body, LIST, 'a list');
  }

  get(id: number, { include, ...options }: ListOptions = {}): Promise<ListSummary> {
    return getList(this.#transport, id, options, { include });
  }

  /** One page of lists, newest first. */
  async list(options: ListsOptions = {}): Promise<ListSummary[]> {
    const { offset, limit, status, group, single, include } = options;
    const query = { offset, limit, status, group, single, include };
    const call = { method: 'GET', path: '/lists', query } as const;
    const { lists } = (await this.#transport.call<ListPage>(call, options)).body;
    return lists.map((list) => shaped(list, LIST, 'a list'));
  }

  /** Every list, newest first, over all pages: `for await (const list of mx.lists.all())`. */
  all(options: Omit<ListsOptions, 'offset' | 'limit'> = {}): AsyncGenerator<ListSummary, void, undefined> {
    return newestFirst(
      (page) => this.list({ ...options, ...page }),
      ({ id }) => id,
    );
  }

  /** The lists of a group as one. */
  async group(group: string, options: CallOptions = {}): Promise<Group> {
    // A dot alone would be a step in the path.
    if (['', '.', '..'].includes(group)) throw new TypeError('A group is 1 to 64 of A–Z, a–z, 0–9, _ and -.');
    const path = `/groups/${encodeURIComponent(group)}`;
    return (await this.#transport.call<Group>({ method: 'GET', path }, options)).body;
  }

  /** Waits until the list is `done` or `failed`. It may take hours: the service retries greylisted addresses. */
  wait(id: number, options: WaitOptions = {}): Promise<ListSummary> {
    return waitForList(this.#transport, listId(id), options);
  }

  /** The list whenever more of it is checked; the last is the list as it ended. A slow reader misses what is outdated. */
  follow(
    id: number,
    options: Omit<WaitOptions, 'onProgress'> = {},
  ): AsyncGenerator<ListSummary, void, undefined> {
    return followList(this.#transport, listId(id), options);
  }

  /** What its addresses without a result wait for, and when it is done at the latest. */
  async waiting(id: number, options: CallOptions = {}): Promise<ListWaiting> {
    const path = `/lists/${listId(id)}/waiting`;
    return (await this.#transport.call<ListWaiting>({ method: 'GET', path }, options)).body;
  }

  /** Every row, over all pages: `for await (const row of mx.lists.results(id, { state: 'risky' }))`. */
  results(id: number, options: ResultsOptions = {}) {
    return readResults(this.#transport, listId(id), options);
  }

  /** One page, and how many rows match. */
  page(id: number, options: ResultsOptions = {}): Promise<Page> {
    return readPage(this.#transport, listId(id), options);
  }

  /** The results as CSV, in pieces, with one header row. */
  csv(id: number, options: ResultsOptions = {}) {
    return readCsv(this.#transport, listId(id), options);
  }

  /** How many of which reason, provider, flag and domain. */
  async breakdown(id: number, options: CallOptions = {}): Promise<Breakdown> {
    return (
      await this.#transport.call<Breakdown>(
        { method: 'GET', path: `/lists/${listId(id)}/breakdown` },
        options,
      )
    ).body;
  }

  /** Why the address at this position, from 0, got its result: what was asked, and what the mail server said. */
  async evidence(id: number, position: number, options: CallOptions = {}): Promise<Evidence> {
    if (!Number.isSafeInteger(position) || position < 0)
      throw new TypeError('A position is an integer from 0.');
    const path = `/lists/${listId(id)}/results/${position}/evidence`;
    return (await this.#transport.call<Evidence>({ method: 'GET', path }, options)).body;
  }

  async rename(id: number, name: string, options: CallOptions = {}): Promise<ListSummary> {
    const body = { name } satisfies RenameListBody;
    return (
      await this.#transport.call<ListSummary>(
        { method: 'PATCH', path: `/lists/${listId(id)}`, body },
        options,
      )
    ).body;
  }

  /** Ends an unfinished list as `failed`: what is checked stays, the rest is refunded. */
  async cancel(id: number, options: PostOptions = {}): Promise<ListSummary> {
    try {
      return (await this.#post<ListSummary>(id, 'cancel', options)).body;
    } catch (error) {
      if (!isDoneBefore(error, 'list_finished')) throw error;
      // The attempt before this one may have ended it, and its answer was lost.
      const list = await this.get(id, options);
      if (list.status !== 'failed') throw error;
      return list;
    }
  }

  /** Stops checking until `resume`: what is being asked at a mail server ends first. */
  pause(id: number, options: PostOptions = {}): Promise<ListSummary> {
    return this.#change(id, 'pause', 'list_paused', options);
  }

  /** Goes on where the list was paused. */
  resume(id: number, options: PostOptions = {}): Promise<ListSummary> {
    return this.#change(id, 'resume', 'list_not_paused', options);
  }

  async #change(id: number, verb: string, before: RefusalKind, options: PostOptions): Promise<ListSummary> {
    try {
      return (await this.#post<ListSummary>(id, verb, options)).body;
    } catch (error) {
      // The attempt before this one did it, and its answer was lost.
      if (isDoneBefore(error, before)) return this.get(id, options);
      throw error;
    }
  }

  /**
   * A new list of what this finished list and its retries have left open: its unknown addresses and, where it failed or was
   * cancelled, those never checked. Charged as any; once, however often it is retried.
   */
  async retry(id: number, options: PostOptions = {}): Promise<ListSummary> {
    return (await this.#post<ListSummary>(id, 'retry', options)).body;
  }

  /** The lists that were made of it by `retry`, oldest first. */
  async retries(id: number, options: CallOptions = {}): Promise<number[]> {
    const path = `/lists/${listId(id)}/retries`;
    return (await this.#transport.call<Retries>({ method: 'GET', path }, options)).body.lists;
  }

  /**
   * A new list of likelier spellings of this finished list's misspelt addresses, charged as any. Once, however often it is
   * retried. `domains`: only of these misspelt ones.
   */
  async correct(
    id: number,
    { domains, ...options }: PostOptions & { readonly domains?: readonly string[] } = {},
  ): Promise<ListSummary> {
    const body = domains && ({ domains: domains as string[] } satisfies CorrectListBody);
    return (await this.#post<ListSummary>(id, 'corrections', options, body)).body;
  }

  /** The lists that were made of it by `correct`, oldest first. */
  async corrections(id: number, options: CallOptions = {}): Promise<number[]> {
    const path = `/lists/${listId(id)}/corrections`;
    return (await this.#transport.call<Corrections>({ method: 'GET', path }, options)).body.lists;
  }

  /** The list's callback, and how its attempts went. */
  async callback(id: number, options: CallOptions = {}): Promise<Callback> {
    return (
      await this.#transport.call<Callback>({ method: 'GET', path: `/lists/${listId(id)}/callback` }, options)
    ).body;
  }

  /** Sends the same bytes again, with all attempts anew. */
  async resendCallback(id: number, options: PostOptions = {}): Promise<Callback> {
    try {
      return (await this.#post<Callback>(id, 'callback/resend', options)).body;
    } catch (error) {
      // The attempt before this one may have begun it, and its answer was lost.
      if (isDoneBefore(error, 'callback_pending')) return this.callback(id, options);
      throw error;
    }
  }

  /**
   * Removes the list and its data; an unfinished one is stopped and refunded. With `undo`, for finished lists, the data is
   * kept for that many seconds, in which `undelete` brings the list back.
   */
  async delete(id: number, options: CallOptions & Readonly<DeleteListQuery> = {}): Promise<void> {
    const { undo } = options;
    // Without types a misspelt `undo` would delete for good.
    const unknown = Object.keys(options).find((name) => !DELETE_OPTIONS.includes(name));
    if (unknown !== undefined)
      throw new TypeError(`delete has no option ${unknown}: pass undo, or nothing to delete for good.`);
    try {
      const call = { method: 'DELETE', path: `/lists/${listId(id)}`, query: { undo } } as const;
      await this.#transport.call(call, options);
    } catch (error) {
      // The attempt before this one deleted it, and its answer was lost.
      if (!isDoneBefore(error, 'list_not_found')) throw error;
    }
  }

  /** Brings back a list that was deleted with `undo`; one that is not deleted stays as it is. */
  async undelete(id: number, options: PostOptions = {}): Promise<ListSummary> {
    return (await this.#post<ListSummary>(id, 'undelete', options)).body;
  }

  #post<Body>(id: number, act: string, options: PostOptions, body?: object) {
    const path = `/lists/${listId(id)}/${act}`;
    const headers = idempotencyKey(options);
    return this.#transport.call<Body>({ method: 'POST', path, headers, body }, options);
  }
}
