// callbacks.*: the callbacks of test lists as the service sends them, for trying out a receiver that nobody outside can
// reach. Promise: a connection that breaks is opened again from the last callback seen, so none is lost or told twice.
import type { SentCallback } from './api-types.ts';
import { ConnectionFailed } from './errors.ts';
import { sleep } from './transport/abort.ts';
import { backoffMs } from './transport/backoff.ts';
import { openEvents } from './transport/open-events.ts';
import type { Transport } from './transport/transport.ts';

/** Connections in a row that failed before the service said a word: then it is away. */
const MAX_FAILURES = 10;

export class Callbacks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Each attempt as it is sent, its headers and its exact body. Test keys only. Ends with the signal, by its reason. */
  async *listen(
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<SentCallback, void, undefined> {
    let lastId = '';
    for (let failures = 0; ; ) {
      const headers: Record<string, string> = lastId === '' ? {} : { 'last-event-id': lastId };
      try {
        const call = { method: 'GET', path: '/callbacks/listen', headers } as const;
        for await (const { event, data, id } of openEvents(this.#transport, call, options.signal)) {
          if (event !== 'callback') continue;
          lastId = id;
          failures = 0;
          yield JSON.parse(data) as SentCallback;
        }
      } catch (error) {
        if (!(error instanceof ConnectionFailed)) throw error;
        failures += 1;
        if (failures >= MAX_FAILURES) throw error;
      }
      await sleep(backoffMs(failures, Math.random), options.signal);
    }
  }
}
