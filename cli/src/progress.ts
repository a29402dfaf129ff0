// A progress bar on standard error, for people at a terminal only.

const WIDTH = 30;
const EVERY_MS = 100;

export interface Progress {
  step(): void;
  /** Takes the bar away so that a line can be printed; the next step draws it again. */
  clear(): void;
}

export function createProgress(total: number | null, isShown: boolean): Progress {
  if (!isShown) return { step() {}, clear() {} };
  let done = 0;
  let drawnAtMs = 0;
  const startedAtMs = performance.now();
  const clear = () => {
    if (drawnAtMs > 0) process.stderr.write('\r\u001b[K');
  };
  return {
    step() {
      done += 1;
      const nowMs = performance.now();
      if (nowMs - drawnAtMs < EVERY_MS && done !== total) return;
      drawnAtMs = nowMs;
      const perSecond = Math.round((done * 1_000) / Math.max(1, nowMs - startedAtMs));
      process.stderr.write(`\r\u001b[K${bar(done, total)} ${perSecond}/s`);
    },
    clear,
  };
}

function bar(done: number, total: number | null): string {
  if (total === null || total === 0) return `${done} checked`;
  const filled = Math.min(WIDTH, Math.floor((done * WIDTH) / total));
  return `[${'█'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${done} of ${total}`;
}
