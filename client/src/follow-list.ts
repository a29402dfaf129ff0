// A list as it goes on, for a loop. Promise: a reader that leaves the loop ends the waiting; one that is slow gets the latest.
import type { ListSummary } from './api-types.ts';
import type { Transport } from './transport/transport.ts';
import { type WaitOptions, waitForList } from './wait-for-list.ts';

export async function* followList(
  transport: Transport,
  id: number,
  options: Omit<WaitOptions, 'onProgress'>,
): AsyncGenerator<ListSummary, void, undefined> {
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  let latest: ListSummary | null = null;
  let isOver = false;
  let wake = () => {};
  const onProgress = (list: ListSummary) => {
    latest = list;
    wake();
  };
  const ended = waitForList(transport, id, { ...options, signal, onProgress });
  const over = () => {
    isOver = true;
    wake();
  };
  ended.then(over, over);
  try {
    for (;;) {
      const list: ListSummary | null = latest;
      latest = null;
      if (list) yield list;
      else if (isOver) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    await ended;
  } finally {
    left.abort();
  }
}
