// The deployment in one answer: what it did lately, what waits, and what is wrong.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { keptBackups } from '../../store/backups.ts';
import type { Database } from '../../store/database.ts';
import { allNodes } from '../../store/nodes.ts';
import { readQueues } from '../../store/queues.ts';
import { readAlerts } from '../alerts/stored-alerts.ts';
import { readDoctorReports } from '../doctor/stored-reports.ts';
import { countEndpoints } from '../webhooks/stored-endpoints.ts';
import type { WireOverview } from './service-schemas.ts';
import {
  countRests,
  readCallbackCounts,
  readLately,
  readOnly,
  readProviderShares,
  readUnfinished,
} from './stored-overview.ts';

/** Queues of addresses; the others are of callbacks. */
const CHECKING: readonly string[] = ['chunk', 'alone'];

export function readOverview(db: Database, hours: number): Promise<WireOverview> {
  return db.transaction(async (tx) => {
    await readOnly(tx);
    const lately = await readLately(tx, hours);
    const shares = await readProviderShares(tx, hours, () => nextTurn());
    const unfinished = await readUnfinished(tx);
    const jobs = (await readQueues(tx)).filter(({ kind }) => CHECKING.includes(kind));
    const callbacks = await readCallbackCounts(tx, hours);
    const endpoints = await countEndpoints(tx);
    const nodes = await allNodes(tx);
    const alerts = await readAlerts(tx);
    const reports = await readDoctorReports(tx);
    const [backup] = await keptBackups(tx);
    const of = (state: (typeof nodes)[number]['state']) =>
      nodes.filter((node) => node.state === state).length;
    const oldest = jobs.flatMap(({ oldestSeconds }) => oldestSeconds ?? []);
    return {
      at: seconds(Date.now()),
      hours,
      checks: {
        deliverable: lately.deliverable,
        risky: lately.risky,
        undeliverable: lately.undeliverable,
        unknown: lately.unknown,
        lists_ended: lately.ended,
      },
      providers: {
        counted: sum(shares.map(({ checked }) => checked)),
        rows: shares,
      },
      queue: {
        ...unfinished,
        due: sum(jobs.map(({ due }) => due)),
        later: sum(jobs.map(({ later }) => later)),
        claimed: sum(jobs.map(({ claimed }) => claimed)),
        oldest_seconds: oldest.length === 0 ? null : Math.max(0, ...oldest),
      },
      callbacks: {
        delivered: callbacks.delivered,
        failed: callbacks.failed,
        pending: callbacks.pending,
        deliveries_pending: callbacks.deliveries,
        endpoints_off: endpoints.off,
      },
      accounts: { total: lately.accounts, suspended: lately.suspended, active: lately.active },
      nodes: { alive: of('alive'), lost: of('lost'), stopped: of('stopped') },
      sources: { resting: await countRests(tx) },
      alerts: alerts
        .filter(({ resolvedMs, clearSinceMs }) => resolvedMs === null && clearSinceMs === null)
        .map(({ condition, subject, detail, sinceMs }) => ({
          condition,
          subject,
          detail,
          since: seconds(sinceMs),
        })),
      doctor: { machines: reports.length, failing: reports.filter(({ report }) => !report.ok).length },
      backup_at: backup ? seconds(backup.madeAt.getTime()) : null,
    };
  });
}

const seconds = (ms: number) => Math.floor(ms / 1_000);
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
