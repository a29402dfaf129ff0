// A loop that survives what it calls: run, wait, run again; can be woken early and stopped cleanly.
// Promise: nothing thrown inside ends it; an unavailable database is logged once and waited for.
import type { Logger } from 'pino';
import { isUnavailable } from '../store/database.ts';

export interface Loop {
  /** Run as soon as possible, once more if it is running now. */
  wake(): void;
  /** Resolves when the running iteration has ended. */
  stop(): Promise<void>;
}

const MAX_BACKOFF_MS = 5_000;
const FIRST_BACKOFF_MS = 100;

export function startLoop(options: {
  readonly name: string;
  readonly everyMs: number;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly run: () => Promise<void>;
}): Loop {
  const { name, everyMs, log, run } = options;
  let stopped = false;
  let woken = false;
  let failures = 0;
  let endWait: (() => void) | null = null;

  async function iterate(): Promise<void> {
    try {
      await run();
      if (failures > 0) log.info({ loop: name }, 'recovered');
      failures = 0;
    } catch (error) {
      failures++;
      if (!isUnavailable(error)) log.error({ loop: name, err: error }, 'loop iteration failed');
      else if (failures === 1) log.warn({ loop: name, err: error }, 'database unavailable, retrying');
    }
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        endWait = null;
        resolve();
      }
      endWait = done;
    });
  }

  const ended = (async () => {
    while (!stopped) {
      woken = false;
      await iterate();
      if (stopped) break;
      if (failures > 0) await wait(Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures, 10)));
      else if (!woken) await wait(everyMs);
    }
  })();

  return {
    wake() {
      woken = true;
      if (failures === 0) endWait?.();
    },
    async stop() {
      stopped = true;
      endWait?.();
      await ended;
    },
  };
}
