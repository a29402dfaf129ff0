// Short ways to write what a check found.
import type { CheckResult, CheckStatus } from './doctor-check.ts';

export const ok = (detail: string): CheckResult => ({ status: 'ok', detail, advice: null });
export const skipped = (detail: string): CheckResult => ({ status: 'skipped', detail, advice: null });
export const warning = (detail: string, advice: string): CheckResult => ({
  status: 'warning',
  detail,
  advice,
});
export const failure = (detail: string, advice: string): CheckResult => ({
  status: 'failure',
  detail,
  advice,
});

/** What is wrong with several aspects of one thing, the worst first; all well: one line. */
export function faultsOr(healthy: string, faults: readonly CheckResult[]): readonly CheckResult[] {
  if (faults.length === 0) return [ok(healthy)];
  const rank = (status: CheckStatus) => (status === 'failure' ? 0 : 1);
  return [...faults].sort((one, other) => rank(one.status) - rank(other.status));
}

export function about(subject: string, result: CheckResult): CheckResult {
  return { ...result, about: subject };
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** `3.2 GiB`, `310 MiB`. */
export function bytesText(bytes: number): string {
  return bytes >= GIB ? `${(bytes / GIB).toFixed(1)} GiB` : `${Math.floor(bytes / MIB)} MiB`;
}

export function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
