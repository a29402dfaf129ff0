// The watchdog of a running service: what keeps the event loop busy is counted, and the log says what it was.
// Promise: no line carries an e-mail address; stopping leaves no timer.
import { type SlowTurn, TICK_MS, Watchdog } from '@mxproof/common/watchdog';

export interface WatchLog {
  warn(fields: object, line: string): void;
}

export interface WatchedLoop {
  readonly watchdog: Watchdog;
  /** From now on turns that are too long are counted, too, whatever they did. */
  watchTurns(): void;
  stop(): void;
}

export function startWatchdog(log: WatchLog): WatchedLoop {
  const watchdog = new Watchdog({ say: (slow) => log.warn(...lineOf(slow)) });
  let timer: NodeJS.Timeout | undefined;
  return {
    watchdog,
    watchTurns() {
      timer ??= setInterval(() => watchdog.tick(), TICK_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

const CONSEQUENCES: Readonly<Record<SlowTurn['kind'], string>> = {
  smtp: 'replies of a mail host blocked the event loop, session ended',
  dns: 'a DNS answer blocked the event loop, ignored',
  callback: 'the answer to a callback blocked the event loop, connection closed',
  body: 'parsing a request body blocked the event loop',
  unknown: 'the event loop was blocked',
};

export function lineOf({ kind, what, cpuMs, counts, unsaid }: SlowTurn): [fields: object, line: string] {
  const { host = null, lots = [], domain, account, route } = what ?? {};
  const fields = {
    kind,
    // For an unknown cause, what was read last may or may not be related.
    ...(kind === 'unknown' && { lastRead: what?.kind ?? null }),
    ...(host !== null && { host }),
    ...(lots.length > 0 && { listIds: lots }),
    ...(domain !== undefined && { domain }),
    ...(account !== undefined && { account }),
    ...(route !== undefined && { route }),
    cpuMs,
    count: counts[kind],
    ...(unsaid > 0 && { unlogged: unsaid }),
  };
  return [fields, CONSEQUENCES[kind]];
}
