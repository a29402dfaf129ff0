// When a nightly backup is due, when one that failed is tried again, and when the operator has to be told of them. Decides, no
// side effects.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Of UTC. Few lists run then in Europe and America. */
const NIGHT_HOUR = 3;
/** Older, and the operator is told: a night that fails may be made up for in the next. */
export const OLD_BACKUP_DAYS = 2;
/** A backup further ahead than this is from before the clock was set back: how old it is, is not known. */
export const CLOCK_SLACK_HOURS = 1;
const LONGEST_RETRY_MS = HOUR_MS;

/** Whether the latest night has begun and has none of these. */
export function isNightDue(madeMs: readonly number[], nowMs: number): boolean {
  const nightMs = Math.floor((nowMs - NIGHT_HOUR * HOUR_MS) / DAY_MS) * DAY_MS + NIGHT_HOUR * HOUR_MS;
  const latestMs = nowMs + CLOCK_SLACK_HOURS * HOUR_MS;
  return !madeMs.some((each) => each >= nightMs && each <= latestMs);
}

/** After so many failures in a row: two minutes, then twice as long each time, up to an hour. */
export function retryAfterMs(failures: number): number {
  return Math.min(LONGEST_RETRY_MS, MINUTE_MS * 2 ** Math.min(failures, 16));
}

export interface BackupState {
  /** Since when a node is to write one every night; null: none is. */
  readonly nightlySinceMs: number | null;
  /** When the newest was made that counts: a nightly one, or one by command in a folder of nightly ones; null: there is none. */
  readonly newestMs: number | null;
  /** Of the latest write, if it failed after the newest was made: one sentence. */
  readonly failure: string | null;
}

export type BackupFault =
  | { readonly kind: 'failed'; readonly failure: string }
  /** `days`: since the newest. */
  | { readonly kind: 'old'; readonly days: number }
  /** `days`: since one was to be made. */
  | { readonly kind: 'none'; readonly days: number };

/** Null: all is well, or no backup is wanted every night. */
export function backupFault(
  { nightlySinceMs, newestMs, failure }: BackupState,
  nowMs: number,
): BackupFault | null {
  if (nightlySinceMs === null) return null;
  if (failure !== null) return { kind: 'failed', failure };
  // After a pause of the whole service there are two days again: a backup is tried at the start, and a failure told at once.
  const sinceMs = Math.max(nightlySinceMs, newestMs ?? 0);
  if (nowMs - sinceMs <= OLD_BACKUP_DAYS * DAY_MS) return null;
  return newestMs === null
    ? { kind: 'none', days: Math.floor((nowMs - nightlySinceMs) / DAY_MS) }
    : { kind: 'old', days: Math.floor((nowMs - newestMs) / DAY_MS) };
}

/** What the operator reads: one sentence. */
export function faultSentence(fault: BackupFault): string {
  if (fault.kind === 'failed') return `The latest backup failed: ${fault.failure}`;
  return fault.kind === 'old'
    ? `The newest backup is ${fault.days} days old.`
    : `No backup was made in the ${fault.days} days since they were set up.`;
}
