// A cable that is cut for a while. For tests.
import type { Connect, Wire } from '../src/ports.ts';
import type { Clock } from '../src/types.ts';

export interface Cut {
  readonly mode: 'refused' | 'swallowed';
  readonly fromMs: number;
  readonly forMs: number;
}

/** From `fromMs` on for a while every connection breaks, and connects are refused on the way or swallowed. */
export function cutting(clock: Clock, connect: Connect, { mode, fromMs, forMs }: Cut): Connect {
  const cutAtMs = clock.now() + fromMs;
  const lines = new Set<() => void>();
  clock.setTimeout(() => {
    for (const breakOff of [...lines]) breakOff();
  }, fromMs);
  return (target, events) => {
    const nowMs = clock.now();
    let isOver = false;
    const over = (error: string | null) => {
      if (isOver) return;
      isOver = true;
      clock.setTimeout(() => events.closed(error), 0);
    };
    if (nowMs >= cutAtMs && nowMs < cutAtMs + forMs) {
      if (mode === 'refused') clock.setTimeout(() => over('EHOSTUNREACH'), 1);
      return { write: () => {}, startTls: () => {}, destroy: () => over(null) };
    }
    const breakOff = () => {
      lines.delete(breakOff);
      over('ECONNRESET');
      wire.destroy();
    };
    const wire: Wire = connect(target, {
      connected: () => isOver || events.connected(),
      data: (chunk) => isOver || events.data(chunk),
      secured: () => isOver || events.secured(),
      closed: (error) => {
        lines.delete(breakOff);
        over(error);
      },
    });
    lines.add(breakOff);
    return wire;
  };
}
