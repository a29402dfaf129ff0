// A progress bar on standard error, for people at a terminal only.

const WIDTH = 30;
const EVERY_MS = 100;

export interface Progress {
  /** One more. */
  step(): void;
  /** So many by now. */
  to(count: number): void;
  /** Takes the bar away so that a line can be printed; the next step draws it again. */
  clear(): void;
}

export function createProgress(total: number | null, isShown: boolean): Progress {
  if (!isShown) return { step() {}, to() {}, clear() {} };
  let done = 0;
  let drawnAtMs = 0;
  const startedAtMs = performance.now();
  const clear = () => {
    if (drawnAtMs > 0) process.stderr.write('\r\u001b[K');
  };
  const draw = () => {
    const nowMs = performance.now();
    if (nowMs - drawnAtMs < EVERY_MS && done !== total) return;
    drawnAtMs = nowMs;
    const perSecond = Math.round((done * 1_000) / Math.max(1, nowMs - startedAtMs));
    process.stderr.write(`\r\u001b[K${bar(done, total)} ${perSecond}/s`);
  };
  return {
    step() {
      done += 1;
      draw();
    },
    to(count) {
      done = count;
      draw();
    },
    clear,
  };
}

function bar(done: number, total: number | null): string {
  if (total === null || total === 0) return `${done} checked`;
  const filled = Math.min(WIDTH, Math.floor((done * WIDTH) / total));
  return `[${'█'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${done} of ${total}`;
}
