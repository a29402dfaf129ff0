// Monthly credits, as a property against a model: whatever is set, suspended, slept through and crashed, on several nodes at once,
// every month that began is granted once.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Crash, type DatabaseFault, flakyDatabase } from '../../test/flaky-database.ts';
import { startTestService, type TestService } from '../../test/service.ts';
import { changeAccount } from '../features/admin/change-account.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { readAudit } from '../store/audit.ts';
import type { Database } from '../store/database.ts';
import { historyOf } from '../store/history.ts';
import { accountsDueMonthly, setMonthlyCredits } from '../store/monthly-credits.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { grantMonths } from './grant-months.ts';

const CREDITS = 1_000_000;
const DAY_MS = 86_400_000;
const BEGIN_MS = Date.UTC(2026, 10, 17, 9);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

type Step =
  | { readonly do: 'wait'; readonly days: number }
  /** Null: no credits any more. */
  | { readonly do: 'set'; readonly account: number; readonly credits: number | null }
  | { readonly do: 'suspend' | 'resume'; readonly account: number }
  | { readonly do: 'sweep'; readonly nodes: readonly DatabaseFault[] };

const account = fc.nat(2);
const crash: fc.Arbitrary<DatabaseFault> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'none' } as const) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('before_statement' as const), n: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'after_commit' } as const) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      days: fc.oneof(fc.nat(40), fc.integer({ min: 60, max: 900 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      account,
      credits: fc.option(fc.integer({ min: 1, max: 1_000 }), { freq: 4 }),
    }),
  },
  fc.record({ do: fc.constantFrom('suspend' as const, 'resume' as const), account }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('sweep' as const),
      nodes: fc.array(crash, { minLength: 1, maxLength: 3 }),
    }),
  },
);

/** Months are counted from year 0. */
interface Modelled {
  readonly id: number;
  monthly: { credits: number; next: number } | null;
  isSuspended: boolean;
  /** The note and amount of each, the latest first. */
  readonly granted: [note: string, amount: number][];
}

const monthOf = (ms: number) => new Date(ms).getUTCFullYear() * 12 + new Date(ms).getUTCMonth();
const noteOf = (month: number) =>
  `monthly credits ${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;

function sweepModel(each: Modelled, nowMs: number): void {
  for (; each.monthly && each.monthly.next <= monthOf(nowMs); each.monthly.next++)
    if (!each.isSuspended) each.granted.unshift([noteOf(each.monthly.next), each.monthly.credits]);
}

/** What a node does, once or until it dies. */
async function sweep(db: Database, now: Date): Promise<void> {
  for (
    let due = await accountsDueMonthly(db, now, []);
    due.length > 0;
    due = await accountsDueMonthly(db, now, [])
  )
    for (const id of due) await grantMonths(db, id, now);
}

test('each month that begins is granted once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
      const accounts: Modelled[] = [];
      for (let n = 0; n < 3; n++)
        accounts.push({ id: await service.open(), monthly: null, isSuspended: false, granted: [] });
      let nowMs = BEGIN_MS;
      for (const one of [...steps, { do: 'sweep', nodes: [{ kind: 'none' }] } satisfies Step]) {
        const mine = 'account' in one ? accounts[one.account]! : null;
        switch (one.do) {
          case 'wait':
            nowMs += one.days * DAY_MS;
            break;
          case 'set':
            await setMonthlyCredits(service.db, mine!.id, one.credits, new Date(nowMs));
            mine!.monthly =
              one.credits === null
                ? null
                : { credits: one.credits, next: mine!.monthly?.next ?? monthOf(nowMs) + 1 };
            break;
          case 'suspend':
          case 'resume': {
            mine!.isSuspended = one.do === 'suspend';
            const status = mine!.isSuspended ? 'suspended' : 'active';
            await changeAccount(service.db, THE_SERVICE, mine!.id, { status });
            break;
          }
          case 'sweep': {
            const swept = one.nodes.map((how) => sweep(flakyDatabase(service.db, how), new Date(nowMs)));
            for (const { reason } of (await Promise.allSettled(swept)).filter(
              (each) => each.status === 'rejected',
            ))
              expect(reason).toBeInstanceOf(Crash);
            // One that survives.
            await sweep(service.db, new Date(nowMs));
            for (const each of accounts) sweepModel(each, nowMs);
          }
        }
      }
      for (const { id, granted } of accounts) {
        const page = { accountId: id, offset: 0, limit: 1_000, kind: 'grant' } as const;
        const entries = (await historyOf(service.db, page)).map(({ note, amount }) => [note, amount]);
        expect(entries).toEqual([...granted, ['opening credits', CREDITS]]);
        const trail = await readAudit(service.db, {
          ...{ accountId: id, action: 'credits.granted', actor: 'service', member: null, since: null },
          ...{ before: null, offset: 0, limit: 1_000 },
        });
        expect(trail.map(({ facts }) => facts.changes!.credits!)).toEqual(
          entries.slice(0, -1).map(([, amount], at) => {
            const after = CREDITS + granted.slice(at).reduce((sum, [, each]) => sum + each, 0);
            return [after - (amount as number), after];
          }),
        );
      }
      expect((await verifyLedger(service.db)).differences).toEqual([]);
      await service.db.query('UPDATE mxproof.accounts SET monthly_credits = NULL, monthly_from = NULL');
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

test('they begin with the month after they are set, and end at once when they are not wanted any more', async () => {
  const id = await service.open();
  const credits = async () =>
    (
      await service.db.query<{ credits: number }>('SELECT credits FROM mxproof.accounts WHERE id = $1', [id])
    )[0]!.credits;
  const grant = (date: string) => grantMonths(service.db, id, new Date(date));
  await setMonthlyCredits(service.db, id, 100, new Date('2026-11-30T23:59:59Z'));
  await grant('2026-11-30T23:59:59Z');
  expect(await credits()).toBe(CREDITS);
  await grant('2026-12-01T00:00:00Z');
  await grant('2026-12-31T23:59:59Z');
  expect(await credits()).toBe(CREDITS + 100);
  // Another number of them is that of the months that are not granted yet.
  await setMonthlyCredits(service.db, id, 70, new Date('2027-01-02T00:00:00Z'));
  await grant('2027-01-02T00:00:00Z');
  expect(await credits()).toBe(CREDITS + 170);
  await setMonthlyCredits(service.db, id, null, new Date('2027-02-02T00:00:00Z'));
  await grant('2027-02-02T00:00:00Z');
  expect(await credits()).toBe(CREDITS + 170);
});
