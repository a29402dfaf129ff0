// Pausing against everything else that happens to a list at the same moment: no job of it is lost, none is in two places, and
// nothing of a paused list can be claimed.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '@mxproof/engine';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { accepted } from '../../test/verdicts.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { positionsOf } from '../rules/chunk-owners.ts';
import { readResults } from '../rules/chunk-results.ts';
import { readClaimed } from '../store/chunks.ts';
import { findList } from '../store/lists.ts';
import { parkStrays } from '../store/parked-jobs.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { cancelList } from './cancel-list.ts';
import { deleteList } from './delete-list.ts';
import { openAccount } from './open-account.ts';
import { pauseList, resumeList } from './pause-list.ts';
import { recordFindings } from './record-findings.ts';
import { submitList } from './submit-list.ts';

const CREDITS = 1_000;
const unknown: Verdict = { ...accepted, state: 'unknown', reason: 'no_connect', score: 0 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

type Act =
  | { readonly do: 'pause' | 'resume' | 'cancel' | 'delete' | 'strays'; readonly afterMs: number }
  | {
      readonly do: 'work';
      readonly found: readonly (Verdict | null)[];
      readonly handsBackLater: boolean;
      readonly afterMs: number;
    };
const afterMs = fc.nat(3);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pause' as const), afterMs }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('resume' as const, 'strays' as const), afterMs }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'delete' as const), afterMs }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('work' as const),
      found: fc.array(fc.constantFrom(accepted, unknown, null), { minLength: 6, maxLength: 6 }),
      handsBackLater: fc.boolean(),
      afterMs,
    }),
  },
);

/** Claims one job, answers some of its addresses and hands the others back. */
async function work({ found, handsBackLater }: Extract<Act, { do: 'work' }>): Promise<void> {
  const { context, db } = service;
  const [claimed] = await context.jobs.claimChunks({ limit: 1, notFrom: [] });
  if (!claimed) return;
  const [chunk] = await readClaimed(db, [claimed.job]);
  if (!chunk) return void (await context.jobs.finish(db, [claimed.claim]));
  const { n, listId } = claimed.job;
  const asked = positionsOf(claimed.job, chunk.owners, readResults(chunk.results, chunk.size));
  const verdicts = new Map(
    asked.flatMap(({ position }) => {
      const verdict = found[position];
      return verdict ? [[position, verdict] as const] : [];
    }),
  );
  const positions = asked.filter(({ position }) => !verdicts.has(position));
  const deferred =
    positions.length > 0 ? [{ positions, source: null, afterMs: handsBackLater ? 3_600_000 : 0 }] : [];
  await recordFindings(context, listId, [{ n, verdicts, evidence: [], claimed, over: true, deferred }]);
}

test('pauses, resumes, ends and write-backs at the same moment: what is left is asked when the list is resumed', async () => {
  const { context, db } = service;
  const count = async (what: string) =>
    (await db.query<{ count: number }>(`SELECT count(*) FROM mxproof.${what}`))[0]!.count;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 10 }), async (acts) => {
      await db.query('DELETE FROM mxproof.jobs');
      const { accountId } = await openAccount(db, THE_SERVICE, service.box, {
        name: 'model',
        credits: CREDITS,
      });
      const submitted = await submitList(context, submission(accountId, addresses(6)));
      if (submitted.kind !== 'created') throw new Error(submitted.kind);
      const { id } = submitted.list;
      await Promise.all(
        acts.map(async (one) => {
          await sleep(one.afterMs);
          if (one.do === 'work') return work(one);
          if (one.do === 'pause') return pauseList(context, id, accountId);
          if (one.do === 'resume') return resumeList(context, id, accountId);
          if (one.do === 'cancel') return cancelList(context, THE_SERVICE, id, accountId);
          return one.do === 'delete' ? deleteList(context, THE_SERVICE, id, accountId) : parkStrays(db);
        }),
      );
      const list = await findList(db, id, accountId);
      const isOpen = list?.finishedAtSeconds === null;
      if (isOpen && list.pausedAtSeconds !== null) {
        expect(await count('jobs')).toBe(0);
        expect(await resumeList(context, id, accountId)).toMatchObject({ kind: 'changed' });
      }
      expect(await count('parked_jobs')).toBe(0);
      if (isOpen) {
        // Each address is in one job.
        await service.hurryDelayedJobs();
        const all = { do: 'work', found: addresses(6).map(() => accepted), handsBackLater: false } as const;
        for (let left = await count('jobs'); left > 0; left--) await work({ ...all, afterMs: 0 });
        expect(await findList(db, id, accountId)).toMatchObject({ status: 'done', checked: 6 });
      }
    }),
    { numRuns: 100, endOnFailure: true },
  );
  expect((await verifyLedger(db)).differences).toEqual([]);
});
