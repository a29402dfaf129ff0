// How many events there were in the last sixty seconds. Pure: time is an argument. Promise: never fewer than there
// were, and none older than seventy seconds; seven numbers, however many events there were.
const STEP_MS = 10_000;
/** Six steps are a minute; the one that has begun is the seventh. */
const STEPS = 7;

export interface MinuteCounter {
  /** The step that has begun, in steps since the epoch. */
  step: number;
  /** By step, the oldest first. */
  readonly counts: number[];
}

export function createMinuteCounter(): MinuteCounter {
  return { step: 0, counts: [] };
}

export function countIn(minute: MinuteCounter, count: number, nowMs: number): void {
  roll(minute, nowMs);
  minute.counts[STEPS - 1] = (minute.counts[STEPS - 1] ?? 0) + count;
}

export function lastMinute(minute: MinuteCounter, nowMs: number): number {
  roll(minute, nowMs);
  return minute.counts.reduce((sum, count) => sum + count, 0);
}

/** When there is room for one more below `limit` (at least 1); now, if there is already. */
export function roomAtMs(minute: MinuteCounter, limit: number, nowMs: number): number {
  let sum = lastMinute(minute, nowMs);
  let atMs = nowMs;
  for (const [at, count] of minute.counts.entries()) {
    if (sum < limit) break;
    sum -= count;
    atMs = (minute.step + at + 1) * STEP_MS;
  }
  return atMs;
}

function roll(minute: MinuteCounter, nowMs: number): void {
  const step = Math.floor(nowMs / STEP_MS);
  const passed = step - minute.step;
  if (passed <= 0) return;
  minute.step = step;
  if (passed >= STEPS || minute.counts.length === 0) {
    minute.counts.length = 0;
    for (let i = 0; i < STEPS; i += 1) minute.counts.push(0);
    return;
  }
  for (let i = 0; i < passed; i += 1) {
    minute.counts.shift();
    minute.counts.push(0);
  }
}
