// Ends what nothing else ends: lists past their time limit, lists paused for too long; deleted lists past their undo; remembered answers and test
// lists that are too old. What accounts keep for a while of their own choice goes in retention.ts.
// Promise: one node at a time does it, in small batches; no table grows with what was deleted. A list that cannot be ended, or a
// table that cannot be swept, keeps no other from it.
import type { DisposableOverrides } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { Context } from '../flow/context.ts';
import { endLateList } from '../flow/end-late-list.ts';
import type { Observer } from '../flow/observer.ts';
import { endLongPause } from '../flow/pause-list.ts';
import { TEST_LISTS_KEPT_DAYS } from '../rules/retention.ts';
import { sweepAskedDomains } from '../store/asked-domains.ts';
import { sweepAuditedExports } from '../store/audited-exports.ts';
import { sweepTargets } from '../store/callback-targets.ts';
import { sweepCatchAlls } from '../store/catch-alls.ts';
import type { Database } from '../store/database.ts';
import { sweepDeferred } from '../store/deferred.ts';
import { listsToRemove, removeDeletedLists } from '../store/deleted-lists.ts';
import { takeDuty } from '../store/duty-lease.ts';
import { sweepHttpNodes } from '../store/http-nodes.ts';
import { sweepIdempotency } from '../store/idempotency.ts';
import { sweepInvitations } from '../store/invitations.ts';
import { lateLists, oldTestLists, removeLists } from '../store/lists.ts';
import { sweepReports } from '../store/node-waiting.ts';
import { sweepNodes } from '../store/nodes.ts';
import { parkStrays, sweepParkedJobs } from '../store/parked-jobs.ts';
import { listsPausedTooLong } from '../store/paused-lists.ts';
import { sweepSessions } from '../store/sessions.ts';
import { sweepShownCallbacks } from '../store/shown-callbacks.ts';
import { sweepSignIns } from '../store/sign-in-links.ts';
import { createIsolation } from './isolate.ts';
import { startLoop } from './loop.ts';

const ENDED_EVERY_SECONDS = 5;
const OLD_EVERY_SECONDS = 300;
const MAX_BATCHES = 200;

/** Removes what is too old: a statement that looks at nothing but the time in each row. */
export type Sweep = (db: Database) => Promise<unknown>;

/** Lists of several accounts, which take turns. */
interface ListSweep {
  readonly name: string;
  next(db: Database, except: readonly number[]): Promise<readonly number[]>;
  remove(db: Database, ids: readonly number[]): Promise<void>;
}

const DELETED_LISTS: ListSweep = {
  name: 'deleted lists',
  next: listsToRemove,
  remove: removeDeletedLists,
};
const OLD_TEST_LISTS: ListSweep = {
  name: 'old test lists',
  next: (db, except) => oldTestLists(db, TEST_LISTS_KEPT_DAYS, except),
  remove: removeLists,
};

const OLD_ROWS: readonly Sweep[] = [
  sweepIdempotency,
  sweepTargets,
  sweepShownCallbacks,
  sweepNodes,
  sweepHttpNodes,
  sweepReports,
  sweepDeferred,
  sweepParkedJobs,
  sweepSessions,
  sweepSignIns,
  sweepInvitations,
  sweepAskedDomains,
  sweepCatchAlls,
  sweepAuditedExports,
];

export function startSweeps(options: {
  readonly context: Context;
  readonly listLimitMs: number;
  readonly keepEvidence: boolean;
  /** What the operator says of disposable domains. */
  readonly disposable?: DisposableOverrides;
  readonly log: Logger;
  /** Unset: no verdict is told. */
  readonly observer?: Partial<Pick<Observer, 'found' | 'checked'>>;
  /** What features keep for a while. */
  readonly sweeps?: readonly Sweep[];
}): { stop(): Promise<void> } {
  const { context, log } = options;
  const { db } = context;
  const late = createIsolation<number>({ name: 'late lists', log });
  const removed = createIsolation<number>({ name: 'lists to remove', log });
  const sweeps = createIsolation<string>({ name: 'sweep', log });
  let stopping = false;

  async function endLate(): Promise<void> {
    for (const list of await lateLists(db, options.listLimitMs, late.resting())) {
      if (stopping) return;
      await late.run(list.id, async () => {
        await endLateList(context, list, {
          keepEvidence: options.keepEvidence,
          onVerdict: (verdict) => {
            options.observer?.found?.(verdict);
            options.observer?.checked?.(verdict, 'list', null);
          },
          disposable: options.disposable,
        });
        log.warn({ listId: list.id }, 'list timed out');
      });
    }
  }

  async function endLongPauses(): Promise<void> {
    for (const list of await listsPausedTooLong(db, late.resting())) {
      if (stopping) return;
      await late.run(list.id, async () => {
        if (await endLongPause(context, list)) log.warn({ listId: list.id }, 'list was paused for too long');
      });
    }
  }

  async function sweepOld(): Promise<void> {
    for (const sweep of [...OLD_ROWS, ...(options.sweeps ?? [])])
      await sweeps.run(sweep.name, async () => void (await sweep(db)));
    await sweepLists(OLD_TEST_LISTS);
  }

  const sweepLists = ({ name, next, remove }: ListSweep) =>
    sweeps.run(name, async () => {
      for (let batches = 0; batches < MAX_BATCHES && !stopping; batches++) {
        const ids = await next(db, removed.resting());
        if (ids.length === 0) return;
        await removed.runAll(ids, (some) => remove(db, some));
      }
    });

  const loop = startLoop({
    name: 'sweep',
    everyMs: ENDED_EVERY_SECONDS * 1000,
    log,
    async run() {
      await sweeps.run('late lists', async () => {
        if (await takeDuty(db, 'late lists', ENDED_EVERY_SECONDS)) await endLate();
      });
      await sweeps.run('paused lists', async () => {
        if (!(await takeDuty(db, 'paused lists', ENDED_EVERY_SECONDS))) return;
        await parkStrays(db);
        await endLongPauses();
      });
      if (await takeDuty(db, 'deleted lists', ENDED_EVERY_SECONDS)) await sweepLists(DELETED_LISTS);
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
