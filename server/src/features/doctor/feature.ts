// What is wrong with this machine, found once a day; `mxproof doctor` finds it at once.
import type { Feature } from '../feature.ts';
import { startDailyDoctor } from './daily-doctor.ts';
import { sweepDoctorReports } from './stored-reports.ts';

export const doctor: Feature = {
  name: 'doctor',
  sweeps: [sweepDoctorReports],
  join: ({ config, roles, context: { db }, dnsServers, log }) => ({
    start: () => startDailyDoctor({ config, db, dnsServers, isChecking: roles.checks, log }),
  }),
};
