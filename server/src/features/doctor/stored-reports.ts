// What the doctor found on each machine of the deployment, the latest run of each.

import type { Tx } from '../../store/database.ts';
import { type DoctorReport, type ReportedCheck, reportOf } from './doctor-report.ts';

const FORGOTTEN_AFTER_DAYS = 7;
const MAX_MACHINES = 1_000;
const RUN_EVERY_HOURS = 24;

interface MachineReport {
  readonly machine: string;
  readonly ranAt: Date;
  readonly report: DoctorReport;
}

export async function writeDoctorReport(
  tx: Tx,
  machine: string,
  { ok, checks }: DoctorReport,
): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.doctor_reports (machine, is_ok, checks) VALUES ($1, $2, $3)
     ON CONFLICT (machine) DO UPDATE SET ran_at = now(), is_ok = excluded.is_ok, checks = excluded.checks`,
    [machine, ok, JSON.stringify(checks)],
  );
}

/** By name of the machine. */
export async function readDoctorReports(tx: Tx): Promise<MachineReport[]> {
  const rows = await tx.query<{ machine: string; ranAt: Date; checks: ReportedCheck[] }>(
    `SELECT machine, ran_at AS "ranAt", checks FROM mxproof.doctor_reports ORDER BY machine LIMIT ${MAX_MACHINES}`,
  );
  return rows.map(({ machine, ranAt, checks }) => ({ machine, ranAt, report: reportOf(checks) }));
}

/** Whether the machine's last run is a day ago; one of the future is from before the clock was stepped back. */
export async function isDoctorDue(tx: Tx, machine: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM mxproof.doctor_reports
     WHERE machine = $1 AND abs(extract(epoch FROM now() - ran_at)) < ${RUN_EVERY_HOURS * 3_600}`,
    [machine],
  );
  return rows.length === 0;
}

export async function sweepDoctorReports(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.doctor_reports WHERE ran_at < now() - make_interval(days => ${FORGOTTEN_AFTER_DAYS})`,
  );
}
