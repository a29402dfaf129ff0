// How many in the last sixty seconds. Pure: time as an argument. Promise: never less than there were, since a host that
// counts by the minute has begun its minute somewhere in ours; two numbers, however many there were.
export interface Minute {
  startMs: number;
  count: number;
  /** In the minute before this one. */
  before: number;
}

const MINUTE_MS = 60_000;

export function createMinute(): Minute {
  return { startMs: 0, count: 0, before: 0 };
}

export function countIn(minute: Minute, count: number, nowMs: number): void {
  roll(minute, nowMs);
  minute.count += count;
}

/** Those of the minute before fade as evenly as they are taken to have come. */
export function lastMinute(minute: Minute, nowMs: number): number {
  roll(minute, nowMs);
  return minute.count + minute.before * (1 - (nowMs - minute.startMs) / MINUTE_MS);
}

/** When there is room for one more below `limit`; now, if there is already. */
export function roomAtMs(minute: Minute, limit: number, nowMs: number): number {
  if (lastMinute(minute, nowMs) + 1 <= limit) return nowMs;
  const { startMs, count, before } = minute;
  const room = limit - 1 - count;
  if (room >= 0 && before > 0) return startMs + Math.ceil(MINUTE_MS * (1 - Math.min(1, room / before)));
  return startMs + MINUTE_MS + Math.ceil(MINUTE_MS * Math.max(0, 1 - Math.max(0, limit - 1) / count));
}

function roll(minute: Minute, nowMs: number): void {
  const passed = Math.floor((nowMs - minute.startMs) / MINUTE_MS);
  if (passed < 1) return;
  minute.before = passed === 1 ? minute.count : 0;
  minute.count = 0;
  // Where nothing was counted for a while, the next minute begins with what is counted next.
  minute.startMs = passed === 1 ? minute.startMs + MINUTE_MS : nowMs;
}
