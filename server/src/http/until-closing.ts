// Waits that end early when the service closes.
// Promise: a wait that is over leaves nothing behind. (Promise.race with one promise for the lifetime of the service
// would leak memory with every request that waits.)
export interface ClosingWaits {
  /** What `work` resolves with; null when the service closes before. */
  wait<T>(work: Promise<T>): Promise<T | null>;
  close(): void;
}

export function createUntilClosing(): ClosingWaits {
  const waiting = new Set<() => void>();
  let closed = false;
  return {
    wait(work) {
      return new Promise((resolve, reject) => {
        const end = () => resolve(null);
        if (closed) end();
        else waiting.add(end);
        work.then(resolve, reject).finally(() => waiting.delete(end));
      });
    },
    close() {
      closed = true;
      for (const end of waiting) end();
    },
  };
}
