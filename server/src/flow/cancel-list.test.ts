// Cancelling against everything else that ends a list, at the same moment: the list ends once, and the money follows.

import type { Verdict } from '@mxproof/engine';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { accepted } from '../../test/verdicts.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import type { List } from '../rules/list.ts';
import { findList } from '../store/lists.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { cancelList } from './cancel-list.ts';
import { deleteList } from './delete-list.ts';
import { openAccount } from './open-account.ts';
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
  | { readonly do: 'cancel' }
  | { readonly do: 'delete' }
  | { readonly do: 'write'; readonly found: readonly (Verdict | null)[] };
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ do: 'cancel' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'delete' } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      found: fc.array(fc.constantFrom(accepted, unknown, null), { minLength: 6, maxLength: 6 }),
    }),
  },
);

const netOf = ({ checked, counts }: List) => checked - counts.unknown;

test('cancel, delete and the last answers at the same moment: one of them ends the list, and pays back once', async () => {
  const { context, db } = service;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 8 }), async (acts) => {
      const { accountId } = await openAccount(db, THE_SERVICE, service.box, {
        name: 'model',
        credits: CREDITS,
      });
      const submitted = await submitList(context, submission(accountId, addresses(6)));
      if (submitted.kind !== 'created') throw new Error(submitted.kind);
      const { id } = submitted.list;
      const outcomes = await Promise.all(
        acts.map(async (one) => {
          if (one.do === 'delete') return deleteList(context, THE_SERVICE, id, accountId);
          if (one.do === 'cancel') return cancelList(context, THE_SERVICE, id, accountId);
          const verdicts = new Map(
            one.found.flatMap((verdict, n) => (verdict ? [[n, verdict] as const] : [])),
          );
          const findings = { n: 0, verdicts, evidence: [], claimed: null, over: false, deferred: [] };
          return recordFindings(context, id, [findings]);
        }),
      );
      const cancelled = outcomes.filter((one) => typeof one === 'object' && 'kind' in one);
      const ended = cancelled.flatMap((one) => (one.kind === 'cancelled' ? [one.list] : []));
      const list = await findList(db, id, accountId);
      const rows = await db.query<{ kind: string; amount: number }>(
        `SELECT kind, amount FROM mxproof.ledger WHERE list_id = $1 ORDER BY id`,
        [id],
      );
      const [account] = await db.query('SELECT credits, used, lists FROM mxproof.accounts WHERE id = $1', [
        accountId,
      ]);
      const used = rows.reduce((sum, { kind, amount }) => sum + (kind === 'charge' ? amount : -amount), 0);
      expect(account).toEqual({ credits: CREDITS - used, used, lists: list ? 1 : 0 });
      expect(rows.length).toBeLessThanOrEqual(2);
      expect(ended.length).toBeLessThanOrEqual(1);
      // A cancelled list is paid for as its canceller was told; a finished one as it finished.
      if (ended[0]) expect(used).toBe(netOf(ended[0]));
      if (ended[0] && list) expect(list).toEqual(ended[0]);
      if (list?.finishedAtSeconds) expect(used).toBe(netOf(list));
      else if (list) expect(used).toBe(6);
      expect(acts.some((one) => one.do === 'delete')).toBe(list === null);
    }),
    { numRuns: 80, endOnFailure: true },
  );
  expect((await verifyLedger(db)).differences).toEqual([]);
});
