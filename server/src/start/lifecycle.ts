// The order in which a process starts and stops.
// Promise: what was started is stopped in reverse order, each step bounded, once, whatever requested it; a signal ends
// in exit status 0, a defect in 1.
//
//   starting ─▶ running ─▶ draining ─▶ stopping ─▶ down
//       │           └── failure ──────────▲
//       └── signal, failure ──────────────┘
//
// Only SIGTERM drains, which a supervisor sends; a second signal ends the drain. Under a supervisor SIGHUP stops nothing: it reloads.
//
// npm forwards a Ctrl-C that the terminal has already sent to every process, so a second signal forces an exit only
// if it arrives a while after the first.

import { setTimeout as sleep } from 'node:timers/promises';

const IMPATIENCE_AFTER_MS = 1_000;
const PARENT_POLL_MS = 500;

export interface Lifecycle {
  /** What comes before the first step is stopped, where a supervisor sends SIGTERM. */
  onDrain(drain: Drain): void;
  /** What SIGHUP does under a supervisor, one at a time. */
  onReload(reload: () => Promise<void>): void;
  /** Steps registered last are stopped first. */
  onStop(name: string, limitMs: number, stop: () => unknown): void;
  /** Checked by a start in progress between two steps. */
  isStopping(): boolean;
}

export interface LifecycleLog {
  info(fields: object, line: string): void;
  warn(fields: object, line: string): void;
  error(fields: object, line: string): void;
}

/** Ends by itself, and early when `signal` says so. */
type Drain = (signal: AbortSignal) => Promise<void>;

interface Step {
  readonly name: string;
  readonly limitMs: number;
  readonly stop: () => unknown;
}

/**
 * Runs `start`, waits for a signal or a defect, stops what was started; a failure of `start` is thrown afterwards.
 * Steps have limits of their own; `stopLimitMs` catches a start that does not give up, or a sum that came out too long.
 */
export async function live(
  log: LifecycleLog,
  {
    stopLimitMs,
    isNpmScript,
    isSupervised = false,
  }: { readonly stopLimitMs: number; readonly isNpmScript: boolean; readonly isSupervised?: boolean },
  start: (life: Lifecycle) => Promise<void>,
): Promise<number> {
  const steps: Step[] = [];
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  let askedAtMs: number | null = null;
  let status = 0;
  let drain: Drain | null = null;
  let reload: (() => Promise<void>) | null = null;
  let reloaded = Promise.resolve();
  const drained = new AbortController();

  function beginStop(first: Drain | null = null): void {
    if (askedAtMs !== null) {
      drained.abort();
      return;
    }
    clearInterval(watch);
    askedAtMs = performance.now();
    if (first === null) stopNow();
    else void first(drained.signal).finally(stopNow);
  }
  function stopNow(): void {
    drained.abort();
    askedAtMs = performance.now();
    setTimeout(() => process.exit(status), stopLimitMs).unref();
    ask();
  }
  function onSignal(signal: NodeJS.Signals): void {
    if (askedAtMs === null) {
      const first = signal === 'SIGTERM' ? drain : null;
      log.info({ signal }, first === null ? 'shutting down' : 'draining: /readyz is 503');
      beginStop(first);
    } else if (performance.now() - askedAtMs > IMPATIENCE_AFTER_MS) {
      if (drained.signal.aborted) process.exit(status);
      drained.abort();
    }
  }
  function onHangup(): void {
    if (!isSupervised) onSignal('SIGHUP');
    else if (reload === null) log.info({}, 'SIGHUP while starting: the settings were just read');
    else
      reloaded = reloaded
        .then(reload)
        .catch((error) => log.error({ err: error }, 'the settings could not be read again'));
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  process.on('SIGHUP', onHangup);
  // Started by the launcher on an older Node: once that is killed, signals are no longer passed on.
  if (process.channel) {
    process.once('disconnect', () => onSignal('SIGHUP'));
    process.channel.unref();
  }
  // Started by npm, which was killed: the kill was meant for the service.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (isNpmScript && process.ppid !== parent) onSignal('SIGHUP');
  }, PARENT_POLL_MS).unref();
  process.on('uncaughtException', (error) => {
    status = 1;
    beginStop();
    log.error({ err: error }, 'uncaught exception, shutting down');
  });

  try {
    await start({
      onStop: (name, limitMs, stop) => steps.push({ name, limitMs, stop }),
      onDrain: (each) => {
        drain = each;
      },
      onReload: (each) => {
        reload = each;
      },
      isStopping: () => askedAtMs !== null,
    });
    await asked;
  } finally {
    await stopSteps(steps, log);
  }
  return status;
}

async function stopSteps(steps: Step[], log: LifecycleLog): Promise<void> {
  for (let step = steps.pop(); step; step = steps.pop()) {
    const abort = new AbortController();
    const late = sleep(step.limitMs, 'late', { signal: abort.signal }).catch(() => 'late');
    try {
      const outcome = await Promise.race([Promise.resolve(step.stop()), late]);
      if (outcome === 'late') log.warn({ step: step.name }, 'step did not stop in time');
    } catch (error) {
      log.error({ err: error, step: step.name }, 'step failed to stop');
    }
    abort.abort();
  }
}
