// How many recipients were asked about in the current hour and the current day, both of UTC. Pure: time is an argument.
// Promise: no hour and no day has more than its limit; what is given back counts for the windows it was taken from.
import type { PermitGrant, PermitRequest, Permits } from '../ports.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface PermitWindows {
  /** Hours and days since the epoch. */
  hour: number;
  hourCount: number;
  day: number;
  dayCount: number;
}

export function createPermitWindows(): PermitWindows {
  return { hour: 0, hourCount: 0, day: 0, dayCount: 0 };
}

export function takePermits(
  windows: PermitWindows,
  { wanted, perHour, perDay }: Pick<PermitRequest, 'wanted' | 'perHour' | 'perDay'>,
  nowMs: number,
): PermitGrant {
  roll(windows, nowMs);
  const hourLeft = perHour === null ? wanted : perHour - windows.hourCount;
  const dayLeft = perDay === null ? wanted : perDay - windows.dayCount;
  const granted = Math.max(0, Math.min(wanted, hourLeft, dayLeft));
  windows.hourCount += granted;
  windows.dayCount += granted;
  const { hour, day } = windows;
  const hourMs = (hour + 1) * HOUR_MS - nowMs;
  const dayMs = (day + 1) * DAY_MS - nowMs;
  const isDayFull = perDay !== null && dayLeft <= granted;
  return {
    granted,
    hour,
    day,
    validMs: perHour === null ? dayMs : hourMs,
    moreInMs: isDayFull ? dayMs : hourMs,
  };
}

export function giveBackPermits(windows: PermitWindows, { count, hour, day }: Permits): void {
  if (windows.hour === hour) windows.hourCount = Math.max(0, windows.hourCount - count);
  if (windows.day === day) windows.dayCount = Math.max(0, windows.dayCount - count);
}

export function isDayOver({ day }: PermitWindows, nowMs: number): boolean {
  return day < Math.floor(nowMs / DAY_MS);
}

/** The service does the same in SQL (server/src/features/sources/stored-permits.ts). */
function roll(windows: PermitWindows, nowMs: number): void {
  const hour = Math.floor(nowMs / HOUR_MS);
  const day = Math.floor(nowMs / DAY_MS);
  if (windows.hour < hour) windows.hourCount = 0;
  if (windows.day < day) windows.dayCount = 0;
  windows.hour = begun(windows.hour, hour);
  windows.day = begun(windows.day, day);
}

/** The next window has begun already if the clock was stepped back a little; one further ahead never will: it counts for now. */
function begun(before: number, now: number): number {
  return before === now + 1 ? before : now;
}
