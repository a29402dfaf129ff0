// Ends what nothing else ends: lists past their time limit; deleted lists past their undo; remembered answers and test
// lists that are too old. What accounts keep for a while of their own choice goes in retention.ts.
// Promise: one node at a time does it, in small batches; no table grows with what was deleted. A list that cannot be ended, or a
// table that cannot be swept, keeps no other from it.
import type { DisposableOverrides } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { Context } from '../flow/context.ts';
import { endLateList } from '../flow/end-late-list.ts';
import type { Observer } from '../flow/observer.ts';
import { TEST_LISTS_KEPT_DAYS } from '../rules/retention.ts';
import { sweepAskedDomains } from '../store/asked-domains.ts';
import { sweepTargets } from '../store/callback-targets.ts';
import type { Database } from '../store/database.ts';
import { sweepDeferred } from '../store/deferred.ts';
import { removeDeletedLists } from '../store/deleted-lists.ts';
import { takeDuty } from '../store/duty-lease.ts';
import { sweepHttpNodes } from '../store/http-nodes.ts';
import { sweepIdempotency } from '../store/idempotency.ts';
import { lateLists, sweepTestLists } from '../store/lists.ts';
import { sweepReports } from '../store/node-waiting.ts';
import { sweepNodes } from '../store/nodes.ts';
import { sweepSessions } from '../store/sessions.ts';
import { sweepShownCallbacks } from '../store/shown-callbacks.ts';
import { sweepSignIns } from '../store/sign-in-links.ts';
import { createIsolation } from './isolate.ts';
import { startLoop } from './loop.ts';

const ENDED_EVERY_SECONDS = 5;
const OLD_EVERY_SECONDS = 300;
const MAX_BATCHES = 200;

/** Removes what is too old. One that answers `more` is called again at once. */
export type Sweep = (db: Database) => Promise<unknown>;

const OLD_ROWS: readonly Sweep[] = [
  sweepIdempotency,
  sweepTargets,
  sweepShownCallbacks,
  sweepNodes,
  sweepHttpNodes,
  sweepReports,
  sweepDeferred,
  sweepSessions,
  sweepSignIns,
  sweepAskedDomains,
  sweepOldTestLists,
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

  async function sweepOld(): Promise<void> {
    for (const sweep of [...OLD_ROWS, ...(options.sweeps ?? [])])
      await sweeps.run(sweep.name, () => inBatches(() => sweep(db)));
  }

  async function inBatches(sweep: () => ReturnType<Sweep>): Promise<void> {
    for (let batches = 0; batches < MAX_BATCHES && !stopping; batches++) {
      const swept = (await sweep()) as { readonly more: boolean } | undefined;
      if (!swept?.more) return;
    }
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

function sweepOldTestLists(db: Database): ReturnType<Sweep> {
  return sweepTestLists(db, TEST_LISTS_KEPT_DAYS);
}
