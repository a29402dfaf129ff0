// The audit trail: who changed or read out what. Rows are written by store/audit.ts; here are its months, its reader, and what the
// settings were at each start.
import { hostname } from 'node:os';
import type { Sweep } from '../../worker/sweeps.ts';
import type { Feature } from '../feature.ts';
import { noteSettings } from './note-settings.ts';
import { auditRoutes } from './routes.ts';
import './schemas.ts';
import { dropAuditMonths, makeAuditMonths } from './stored-months.ts';
import { sweepStartedSettings } from './stored-settings.ts';

export const audit: Feature = {
  name: 'audit',
  sweeps: [sweepStartedSettings],
  routes: auditRoutes,
  async join({ config, context }) {
    await noteSettings(context, config, hostname());
    const sweepAuditMonths: Sweep = async (db) => {
      await makeAuditMonths(db);
      await dropAuditMonths(db, config.auditMonths);
    };
    return { sweeps: [sweepAuditMonths] };
  },
};
