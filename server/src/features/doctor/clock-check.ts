// clock: this machine's against PostgreSQL's.
import { type ClockReading, readClock } from '../../store/database-facts.ts';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { failure, ok, warning } from './result.ts';

const WARNED_MS = 2_000;
/** Receivers refuse callbacks that are signed five minutes off. */
const FAILED_MS = 60_000;

export const clockCheck: DoctorCheck = {
  id: 'clock',
  title: 'Clock',
  needs: ['database'],
  run: async ({ db }) => judgeClock(await readClock(db!)),
};

export function judgeClock({ serverMs, hereMs, roundTripMs }: ClockReading): CheckResult {
  const offMs = Math.abs(serverMs - hereMs);
  const surelyMs = offMs - roundTripMs / 2;
  if (surelyMs < WARNED_MS) return ok("This machine's clock and PostgreSQL's agree.");
  const seconds = (offMs / 1_000).toFixed(offMs < 10_000 ? 1 : 0);
  const detail = `This machine's clock is ${seconds} s ${hereMs > serverMs ? 'ahead of' : 'behind'} PostgreSQL's: times of results and callbacks are wrong.`;
  const advice = 'Set the clocks of both machines by NTP, such as with chrony or systemd-timesyncd.';
  return (surelyMs < FAILED_MS ? warning : failure)(detail, advice);
}
