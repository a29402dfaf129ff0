// The operator's own pages of the console: sources and the doctor's reports, nothing of any account.
import type { Parts } from '../../http/route-parts.ts';
import { keptBackups } from '../../store/backups.ts';
import { readDoctorReports } from '../doctor/stored-reports.ts';
import type { Feature } from '../feature.ts';
import { restByHand, resumeByHand } from '../sources/rest-by-hand.ts';
import { readSourceHealth } from '../sources/stored-health.ts';
import { type OperatorSide, operatorPages } from './routes.ts';
import { sweepOperatorSignIns } from './stored-sign-ins.ts';

const HOUR_SECONDS = 3_600;

export const operator: Feature = {
  name: 'operator',
  sweeps: [sweepOperatorSignIns],
  pages: (app, parts, door) => operatorPages(app, parts.context.db, sideOf(parts), door),
};

function sideOf({ context: { db }, policy }: Parts): OperatorSide {
  return {
    sources: () => readSourceHealth(db, policy),
    doctor: () => readDoctorReports(db),
    backupAt: async () => (await keptBackups(db))[0]?.madeAt ?? null,
    rest: (actor, source, provider, hours) =>
      restByHand(
        db,
        actor,
        { source: source || null, provider },
        hours === null ? null : hours * HOUR_SECONDS,
      ),
    resume: (actor, source, provider) => resumeByHand(db, actor, { source: source || null, provider }),
  };
}
