// What the doctor found, as people, programs and the store have it; and the one line that the log gets. Pure.

export type CheckStatus = 'ok' | 'warning' | 'failure' | 'skipped';

/** A line as `mxproof doctor --json` and the stored report have it. */
export interface ReportedCheck {
  readonly id: string;
  readonly title: string;
  readonly status: CheckStatus;
  readonly detail: string;
  readonly advice: string | null;
}

export interface DoctorReport {
  /** No check failed. */
  readonly ok: boolean;
  readonly checks: readonly ReportedCheck[];
}

export function reportOf(checks: readonly ReportedCheck[]): DoctorReport {
  return { ok: checks.every(({ status }) => status !== 'failure'), checks };
}

const COUNTED: readonly (readonly [CheckStatus, string, string])[] = [
  ['ok', 'ok', 'ok'],
  ['warning', 'warning', 'warnings'],
  ['failure', 'failure', 'failures'],
  ['skipped', 'skipped', 'skipped'],
];

/** `14 ok, 1 warning, 2 failures`: those there are. */
export function countsOf({ checks }: DoctorReport): string {
  const counts = COUNTED.map(([status, one, several]) => {
    const count = checks.filter((check) => check.status === status).length;
    return count === 0 ? '' : `${count} ${count === 1 ? one : several}`;
  });
  return counts.filter(Boolean).join(', ') || 'no checks';
}

/** Each once, however many sources fail it. */
export function failedIds({ checks }: DoctorReport): string[] {
  return [...new Set(checks.filter(({ status }) => status === 'failure').map(({ id }) => id))];
}

/** Promise: ids and counts alone, since details may name senders. */
export function logLineOf(report: DoctorReport): string {
  const failed = failedIds(report);
  const counts = countsOf(report);
  if (failed.length === 0) return `doctor: ${counts}`;
  return `doctor: ${counts}; failed: ${failed.join(', ')} ("mxproof doctor" says what to do)`;
}
