// A progress bar on standard error, for people at a terminal only.

const WIDTH = 30;
/** A shorter bar says nothing. */
const NARROWEST = 5;
const EVERY_MS = 100;

export interface Progress {
  /** One more. */
  step(): void;
  /** So many by now. */
  to(count: number): void;
  /** Takes the bar away so that a line can be printed; the next step draws it again. */
  clear(): void;
}

/** `word`: what has been done with them. */
export function createProgress(total: number | null, isShown: boolean, word = 'checked'): Progress {
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
    process.stderr.write(`\r\u001b[K${barLine(done, total, perSecond, process.stderr.columns, word)}`);
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

/** One line on a terminal of so many columns, however narrow: what wraps cannot be taken away again. */
export function barLine(
  done: number,
  total: number | null,
  perSecond: number,
  columns: number,
  word = 'checked',
): string {
  const numbers =
    total === null || total === 0 ? `${done} ${word} ${perSecond}/s` : `${done} of ${total} ${perSecond}/s`;
  // The last column stays free: some terminals wrap when it is written.
  const width = Math.min(WIDTH, columns - 1 - numbers.length - '[] '.length);
  if (total === null || total === 0 || width < NARROWEST) return numbers.slice(0, columns - 1);
  const filled = Math.min(width, Math.floor((done * width) / total));
  return `[${'█'.repeat(filled)}${' '.repeat(width - filled)}] ${numbers}`;
}
