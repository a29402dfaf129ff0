// Ends what nothing else ends: lists past their time limit; deleted lists past their undo; remembered answers and test
// lists that are too old. What accounts keep for a while of their own choice goes in retention.ts.
// Promise: one node at a time does it, in small batches; no table grows with what was deleted. A list that cannot be ended, or a
// table that cannot be swept, keeps no other from it.
import type { DisposableOverrides } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { Context } from '../flow/context.ts';
import { endLateList } from '../flow/end-late-list.ts';
import type { Meter } from '../features/metrics/meter.ts';
import { TEST_LISTS_KEPT_DAYS } from '../rules/retention.ts';
import { sweepAskedDomains } from '../store/asked-domains.ts';
import { sweepTargets } from '../store/callback-targets.ts';
import { sweepDeferred } from '../store/deferred.ts';
import { removeDeletedLists } from '../store/deleted-lists.ts';
import { sweepDoctorReports } from '../features/doctor/doctor-reports.ts';
import { takeDuty } from '../store/duty-lease.ts';
import { sweepHttpNodes } from '../store/http-nodes.ts';
import { sweepIdempotency } from '../store/idempotency.ts';
import { lateLists, sweepTestLists } from '../store/lists.ts';
import { sweepHealth } from '../features/sources/node-health.ts';
import { sweepReports } from '../store/node-waiting.ts';
import { sweepNodes } from '../store/nodes.ts';
import { sweepOperatorSignIns } from '../features/operator/stored-sign-ins.ts';
import { sweepRecipientWindows } from '../features/sources/recipient-permits.ts';
import { sweepSessions } from '../store/sessions.ts';
import { sweepShownCallbacks } from '../store/shown-callbacks.ts';
import { sweepSignIns } from '../store/sign-in-links.ts';
import { sweepSourceDays } from '../features/sources/stored-health.ts';
import { sweepWarmUps } from '../features/sources/stored-warm-ups.ts';
import { createIsolation } from './isolate.ts';
import { startLoop } from './loop.ts';
import type { VerdictTally } from '../features/alerts/start-alerts.ts';

const ENDED_EVERY_SECONDS = 5;
const OLD_EVERY_SECONDS = 300;
const MAX_BATCHES = 200;

const OLD_ROWS = [
  sweepIdempotency,
  sweepTargets,
  sweepShownCallbacks,
  sweepNodes,
  sweepHttpNodes,
  sweepReports,
  sweepHealth,
  sweepDoctorReports,
  sweepDeferred,
  sweepSessions,
  sweepSignIns,
  sweepOperatorSignIns,
  sweepAskedDomains,
  sweepWarmUps,
];
const OLD_ROWS_IN_BATCHES = [sweepRecipientWindows, sweepSourceDays];

export function startSweeps(options: {
  readonly context: Context;
  readonly listLimitMs: number;
  readonly keepEvidence: boolean;
  /** What the operator says of disposable domains. */
  readonly disposable?: DisposableOverrides;
  /** Counts verdicts for alerts. Unset: nothing does. */
  readonly verdicts?: VerdictTally;
  readonly log: Logger;
  /** Counts verdicts. Unset: nothing does. */
  readonly meter?: Pick<Meter, 'checked'> | undefined;
}): { stop(): Promise<void> } {
  const { context, log } = options;
  const { db } = context;
  const late = createIsolation<number>({ name: 'late lists', log });
  const sweeps = createIsolation<string>({ name: 'sweep', log });
  let stopping = false;

  async function endLate(): Promise<void> {
    for (const list of await lateLists(db, options.listLimitMs, late.resting())) {
      if (stopping) return;
      await late.run(list.id, async () => {
        await endLateList(context, list, {
          keepEvidence: options.keepEvidence,
          onVerdict: (verdict) => {
            options.verdicts?.count(verdict);
            options.meter?.checked(verdict, 'list', null);
          },
          disposable: options.disposable,
        });
        log.warn({ listId: list.id }, 'list timed out');
      });
    }
  }

  async function sweepOld(): Promise<void> {
    for (const sweep of OLD_ROWS) await sweeps.run(sweep.name, () => sweep(db));
    for (const sweep of OLD_ROWS_IN_BATCHES) await sweeps.run(sweep.name, () => inBatches(() => sweep(db)));
    await sweeps.run(sweepTestLists.name, () => inBatches(() => sweepTestLists(db, TEST_LISTS_KEPT_DAYS)));
  }

  async function inBatches(sweep: () => Promise<{ more: boolean }>): Promise<void> {
    for (let batches = 0; batches < MAX_BATCHES && !stopping; batches++) if (!(await sweep()).more) return;
  }

  const loop = startLoop({
    name: 'sweep',
    everyMs: ENDED_EVERY_SECONDS * 1000,
    log,
    async run() {
      await sweeps.run('late lists', async () => {
        if (await takeDuty(db, 'late lists', ENDED_EVERY_SECONDS)) await endLate();
      });
      await sweeps.run('deleted lists', async () => {
        if (await takeDuty(db, 'deleted lists', ENDED_EVERY_SECONDS))
          await inBatches(() => removeDeletedLists(db));
      });
      if (await takeDuty(db, 'old rows', OLD_EVERY_SECONDS)) await sweepOld();
    },
  });
  return {
    async stop() {
      stopping = true;
      await loop.stop();
    },
  };
}
