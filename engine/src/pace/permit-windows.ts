// How many recipients were asked about in the current hour and the current day, both of UTC. Pure: time is an argument.
// Promise: no hour and no day has more than its limit; what is given back counts for the windows it was taken from; of a limit
// that several payers share, each may have its share, and one that comes later finds room.
//
//   payers that asked in this window        1        2        3       …  n
//   all of them may have                   1/2      2/3      3/4         n/(n+1)    or the part of the window that is over,
//   each of them may have                  1/2      1/3      1/4         1/(n+1)    if that is more; the first time at least 1
//
// What is released with the window is released to all: of the rest of it, all but 1/(n+1) is for payers that have had less than theirs.
import type { PermitGrant, PermitRequest, Permits } from '../ports.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Counts {
  /** Hours and days since the epoch. */
  hour: number;
  hourCount: number;
  day: number;
  dayCount: number;
}

export interface PermitWindows extends Counts {
  /** Of those that share the limits. */
  readonly payers: Map<string, Counts>;
}

export function createPermitWindows(): PermitWindows {
  return { hour: 0, hourCount: 0, day: 0, dayCount: 0, payers: new Map() };
}

/** A limit, and what was taken of it in its window. */
export interface SharedLimit {
  readonly limit: number;
  readonly taken: number;
  /** By the payer that asks. */
  readonly own: number;
  /** That asked in this window, this one included. */
  readonly payers: number;
  /** Of the window that is over, 0 to 1. */
  readonly part: number;
}

/** What a payer may still have. Without payers there are no shares, and all that is left may be had. */
function shareLeft({ limit, taken, own, payers, part }: SharedLimit): number {
  const left = limit - taken;
  if (payers === 0 || left === Number.POSITIVE_INFINITY) return left;
  const fair = 1 / (payers + 1);
  const share = Math.max(1, Math.floor(limit * Math.max(fair, part)));
  const ofAll = Math.floor(limit * Math.max(payers * fair, part));
  const released = Math.min(share - own, Math.max(ofAll - taken, own === 0 ? 1 : 0));
  const ofRest = Math.min(
    Math.floor(limit * fair) - own,
    Math.floor(limit * (1 - (1 - part) * fair)) - taken,
  );
  return Math.min(left, Math.max(released, ofRest));
}

/** The part of the window after which it may have one more than those that it was `granted`. */
function moreAtPart({ limit, taken, own, payers, part }: SharedLimit, granted: number): number {
  if (payers === 0) return 1;
  const fair = 1 / (payers + 1);
  const [ownThen, takenThen] = [own + granted + 1, taken + granted + 1];
  if (ownThen > limit * Math.max(fair, part)) return Math.min(1, ownThen / limit);
  const released = takenThen / limit;
  return Math.min(1, released, ownThen > limit * fair ? 1 : 1 - (1 - released) / fair);
}

export function takePermits(
  windows: PermitWindows,
  { wanted, perHour, perDay, payer }: Pick<PermitRequest, 'wanted' | 'perHour' | 'perDay' | 'payer'>,
  nowMs: number,
): PermitGrant {
  roll(windows, nowMs);
  const { hour, day, payers } = windows;
  for (const [name, counts] of payers) {
    if (counts.day !== day) payers.delete(name);
    if (counts.hour !== hour) counts.hourCount = 0;
  }
  const own = payers.get(payer) ?? { hour, hourCount: 0, day, dayCount: 0 };
  if (payer !== '') payers.set(payer, own);
  own.hour = hour;
  // The limits are its own where no payer is named.
  const inDay = payer === '' ? [] : [...payers.values()];
  const inHour = inDay.filter((one) => one.hour === hour);
  const ofHour = limitOf(perHour, windows.hourCount, own.hourCount, inHour.length, partOf(nowMs, HOUR_MS));
  const ofDay = limitOf(perDay, windows.dayCount, own.dayCount, inDay.length, partOf(nowMs, DAY_MS));
  const granted = Math.max(0, Math.min(wanted, shareLeft(ofHour), shareLeft(ofDay)));
  for (const counts of [windows, own]) {
    counts.hourCount += granted;
    counts.dayCount += granted;
  }
  return grantOf({ granted, hour, day, nowMs, isHourly: perHour !== null }, ofHour, ofDay);
}

function partOf(nowMs: number, windowMs: number): number {
  return (nowMs % windowMs) / windowMs;
}

function limitOf(
  limit: number | null,
  taken: number,
  own: number,
  payers: number,
  part: number,
): SharedLimit {
  return { limit: limit ?? Number.POSITIVE_INFINITY, taken, own, payers, part };
}

interface Granted {
  readonly granted: number;
  readonly hour: number;
  readonly day: number;
  readonly nowMs: number;
  readonly isHourly: boolean;
}

/** The limits as they were before. */
export function grantOf(
  { granted, hour, day, nowMs, isHourly }: Granted,
  ofHour: SharedLimit,
  ofDay: SharedLimit,
): PermitGrant {
  const hourMs = (hour + 1) * HOUR_MS - nowMs;
  const dayMs = (day + 1) * DAY_MS - nowMs;
  const isDayFull = shareLeft(ofDay) <= granted;
  const moreInMs = isDayFull
    ? dayMs - DAY_MS * (1 - moreAtPart(ofDay, granted))
    : hourMs - HOUR_MS * (1 - moreAtPart(ofHour, granted));
  return { granted, hour, day, validMs: isHourly ? hourMs : dayMs, moreInMs: Math.max(0, moreInMs) };
}

export function giveBackPermits(windows: PermitWindows, { payer, ...permits }: Permits): void {
  giveBack(windows, permits);
  const own = windows.payers.get(payer);
  if (own !== undefined) giveBack(own, permits);
}

function giveBack(windows: Counts, { count, hour, day }: Pick<Permits, 'count' | 'hour' | 'day'>): void {
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
