// Waiting for others with a bound. Promise: whatever is waited for, there is a result when the signal is aborted.
import type { CheckResult } from './doctor-check.ts';

const UNFINISHED: readonly CheckResult[] = [
  {
    status: 'warning',
    detail: 'This took too long and was stopped.',
    advice: 'Run mxproof doctor again; if it stays so, look at dns.servers and source.port25 first.',
  },
];

export function inTime(
  work: Promise<readonly CheckResult[]>,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  return orElse(work, UNFINISHED, signal);
}

export function orElse<T>(work: Promise<T>, otherwise: T, signal: AbortSignal): Promise<T> {
  return new Promise((tell, fail) => {
    const stop = () => tell(otherwise);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(tell, fail).finally(() => signal.removeEventListener('abort', stop));
  });
}
