// callbacks.*: those of all lists, page by page; and those of test lists as the service sends them, for trying out a
// receiver that is not reachable from outside. Promise: a stream that breaks is opened again from the last callback seen, so
// none is delivered twice; an error that a retry cannot cure is thrown.
import type { CallbackEntry, CallbackPage, GetCallbacksQuery, SentCallback } from './api-types.ts';
import { ConnectionFailed, RateLimited, ServiceUnavailable, UnexpectedAnswer } from './errors.ts';
import { newestFirst } from './newest-first.ts';
import { SENT_CALLBACK, shaped } from './shapes.ts';
import { sleep } from './transport/abort.ts';
import { backoffMs } from './transport/backoff.ts';
import { openEvents } from './transport/open-events.ts';
import type { CallOptions, Transport } from './transport/transport.ts';

export type CallbacksOptions = CallOptions & Readonly<GetCallbacksQuery>;

export interface ListenOptions {
  /** Ends the listening: the iterator rejects with its reason. */
  readonly signal?: AbortSignal;
  /** The stream is open; again after each interruption. */
  readonly onOpen?: () => void;
  /** The stream has ended, and will be opened again. */
  readonly onInterruption?: () => void;
}

/** After a stream that lived this long, the next one is opened at once. */
const GOOD_STREAM_MS = 10_000;

export class Callbacks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page of callbacks, those of the newest lists first; `lists.callback` has all attempts of one. */
  async list({ offset, limit, ...options }: CallbacksOptions = {}): Promise<CallbackEntry[]> {
    const call = { method: 'GET', path: '/callbacks', query: { offset, limit } } as const;
    return (await this.#transport.call<CallbackPage>(call, options)).body.callbacks;
  }

  /** The callbacks of all lists, those of the newest first, over all pages. */
  all(options: CallOptions = {}): AsyncGenerator<CallbackEntry, void, undefined> {
    return newestFirst(
      (page) => this.list({ ...options, ...page }),
      ({ list_id }) => list_id,
    );
  }

  /** Each attempt as it is sent, its headers and its exact body. Test keys only. Ends with the signal, by its reason. */
  async *listen(options: ListenOptions = {}): AsyncGenerator<SentCallback, void, undefined> {
    const { signal, onOpen, onInterruption } = options;
    let lastId = '';
    let wasOpen = false;
    for (let failures = 0; ; ) {
      const sinceMs = performance.now();
      let retryAfterMs = 0;
      try {
        const headers: Record<string, string> = lastId === '' ? {} : { 'last-event-id': lastId };
        const call = { method: 'GET', path: '/callbacks/listen', headers } as const;
        const opened = () => {
          wasOpen = true;
          onOpen?.();
        };
        for await (const { event, data, id } of openEvents(this.#transport, call, signal, {
          onOpen: opened,
        })) {
          if (event !== 'callback') continue;
          // Before it is yielded: the consumer may stop here.
          lastId = id;
          yield callbackOf(data);
        }
      } catch (error) {
        const mayPass =
          error instanceof ConnectionFailed ||
          error instanceof RateLimited ||
          error instanceof ServiceUnavailable;
        // At the very first attempt the address may be wrong: that is for the caller to know.
        if (!mayPass || !wasOpen) throw error;
        if (!(error instanceof ConnectionFailed)) retryAfterMs = (error.retryAfter ?? 0) * 1_000;
      }
      onInterruption?.();
      failures = performance.now() - sinceMs < GOOD_STREAM_MS ? failures + 1 : 0;
      await sleep(retryAfterMs + backoffMs(failures, Math.random), signal);
    }
  }
}

function callbackOf(data: string): SentCallback {
  let callback: unknown;
  try {
    callback = JSON.parse(data);
  } catch (cause) {
    throw new UnexpectedAnswer('The stream sent something else than a callback.', 200, null, { cause });
  }
  return shaped(callback, SENT_CALLBACK, 'a callback');
}
