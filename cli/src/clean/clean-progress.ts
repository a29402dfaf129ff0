// How far the lists of `mxproof clean` are: a bar with rate, time left and counts on a terminal, a line every few
// seconds elsewhere, nothing with --json.

import type { ListSummary } from '@mxproof/client';

const BAR_WIDTH = 24;
const DRAW_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;
/** A rate over less is a guess. */
const RATE_AFTER_MS = 2_000;

export type Counts = ListSummary['counts'];

interface Sum {
  readonly checked: number;
  readonly counts: Counts;
}

export class CleanProgress {
  readonly #total: number;
  readonly #kind: 'bar' | 'lines' | 'none';
  readonly #lists = new Map<number, ListSummary>();
  #begun: { readonly atMs: number; readonly checked: number } | null = null;
  #shownAtMs = Number.NEGATIVE_INFINITY;

  constructor(total: number, isQuiet: boolean) {
    this.#total = total;
    this.#kind = isQuiet ? 'none' : process.stderr.isTTY ? 'bar' : 'lines';
  }

  to(list: ListSummary, nowMs = performance.now()): void {
    this.#lists.set(list.id, list);
    const sum = this.sum();
    this.#begun ??= { atMs: nowMs, checked: sum.checked };
    const everyMs = this.#kind === 'bar' ? DRAW_EVERY_MS : LINE_EVERY_MS;
    if (this.#kind === 'none' || nowMs - this.#shownAtMs < everyMs) return;
    this.#shownAtMs = nowMs;
    this.#show(sum, this.#begun, nowMs);
  }

  #show(sum: Sum, begun: { readonly atMs: number; readonly checked: number }, nowMs: number): void {
    const parts = [sum, this.#total, nowMs - begun.atMs, sum.checked - begun.checked] as const;
    process.stderr.write(
      this.#kind === 'lines'
        ? `${progressLine(...parts)}\n`
        : `\r\u001b[K${progressBar(...parts, columns())}`,
    );
  }

  clear(): void {
    if (this.#kind === 'bar' && this.#shownAtMs > 0) process.stderr.write('\r\u001b[K');
  }

  /** A line of its own; the bar is drawn again below it. */
  say(line: string): void {
    this.clear();
    process.stderr.write(`${line}\n`);
    // The next answer may take minutes.
    if (this.#kind === 'bar' && this.#begun) this.#show(this.sum(), this.#begun, performance.now());
  }

  sum(): Sum {
    const counts: Record<keyof Counts, number> = { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
    let checked = 0;
    for (const list of this.#lists.values()) {
      checked += list.checked;
      for (const state of Object.keys(counts) as (keyof Counts)[]) counts[state] += list.counts[state];
    }
    return { checked, counts };
  }
}

/** `elapsedMs` and `since`: of this run, which may not be the first. */
export function progressLine(sum: Sum, total: number, elapsedMs: number, since: number): string {
  return `${paceText(sum, total, elapsedMs, since)}: ${countsText(sum.counts)}`;
}

/** As much of it as fits into one line of a terminal: what wraps cannot be taken away again. */
export function progressBar(
  sum: Sum,
  total: number,
  elapsedMs: number,
  since: number,
  columns: number,
): string {
  const drawn = bar(sum.checked, total);
  const pace = paceText(sum, total, elapsedMs, since);
  const lines = [`${drawn} ${pace}: ${countsText(sum.counts)}`, `${drawn} ${pace}`, pace];
  // The last column stays free: some terminals wrap when it is written.
  return lines.find((line) => line.length < columns) ?? pace.slice(0, columns - 1);
}

function paceText({ checked }: Sum, total: number, elapsedMs: number, since: number): string {
  const parts = [`${grouped(checked)} of ${grouped(total)} checked`];
  if (elapsedMs >= RATE_AFTER_MS && since > 0 && checked < total) {
    const perMs = since / elapsedMs;
    parts.push(
      `${grouped(Math.round(perMs * 1_000))}/s`,
      `about ${duration((total - checked) / perMs)} left`,
    );
  }
  return parts.join(', ');
}

export function countsText(counts: Counts): string {
  return Object.entries(counts)
    .map(([state, count]) => `${grouped(count)} ${state}`)
    .join(', ');
}

export function counted(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

export function grouped(number: number): string {
  return number.toLocaleString('en');
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.floor(seconds / 3_600)} h ${Math.ceil((seconds % 3_600) / 60)} min`;
}

function bar(done: number, total: number): string {
  const filled = Math.min(BAR_WIDTH, Math.floor((done * BAR_WIDTH) / Math.max(1, total)));
  return `[${'█'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}]`;
}

function columns(): number {
  return process.stderr.columns ?? 80;
}
