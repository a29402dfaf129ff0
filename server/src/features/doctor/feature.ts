// What is wrong with this machine, found once a day; `mxproof doctor` finds it at once.
import type { Feature } from '../feature.ts';
import { type DailyDoctor, startDailyDoctor } from './daily-doctor.ts';
import { sweepDoctorReports } from './stored-reports.ts';

export const doctor: Feature = {
  name: 'doctor',
  sweeps: [sweepDoctorReports],
  join({ config, roles, context: { db }, dnsServers, log }) {
    let daily: DailyDoctor | undefined;
    return {
      start() {
        daily = startDailyDoctor({ config, db, dnsServers, isChecking: roles.checks, log });
        return daily;
      },
      examine: async () => daily?.run(),
    };
  },
};
