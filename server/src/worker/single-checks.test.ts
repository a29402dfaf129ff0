import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { quiet, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { until } from '../../test/until.ts';
import { createContext } from '../flow/context.ts';
import { type VerifyResult, verifyOne } from '../flow/verify-one.ts';
import { createJobs } from '../store/jobs.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { startNotifications } from './notifications.ts';
import { createSingleChecks, type RunningSingles } from './single-checks.ts';

let service: TestService;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  service = await startTestService();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await service.close();
});

function singlesOf(
  checker: ReturnType<typeof createFakeChecker> | null,
  { context = service.context, stopGraceMs = 10_000 } = {},
): RunningSingles {
  const notifications = startNotifications(service.db, quiet);
  const singles = createSingleChecks({
    context,
    checker,
    keepEvidence: true,
    log: quiet,
    notifications,
    stopGraceMs,
  });
  closers.push(notifications.stop, singles.stop);
  return singles;
}

function verify(singles: RunningSingles, email: string, waitMs = 10_000, context = service.context) {
  const asked = {
    ...submission(service.accountId, [], { single: true }),
    emails: [email] as const,
    isTest: false,
  };
  return verifyOne(context, singles, asked, waitMs);
}

const stateOf = (verified: VerifyResult) =>
  verified.kind === 'checked' ? verified.verdict.state : verified.kind;
const jobs = () => service.db.query('SELECT id FROM mxproof.jobs');

test('a single check is run where the request came in; its job is gone with it, an unknown one is refunded', async () => {
  const singles = singlesOf(createFakeChecker());
  const found = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      verify(singles, `${index % 2 ? 'no' : 'unknown'}${index}@example.com`),
    ),
  );
  expect(found.map(stateOf)).toEqual(found.map((_, index) => (index % 2 ? 'undeliverable' : 'unknown')));
  expect(await jobs()).toEqual([]);
  const [account] = await service.db.query('SELECT used, lists FROM mxproof.accounts');
  expect(account).toEqual({ used: 20, lists: 40 });
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  const [evidence] = await service.db.query('SELECT count(*) FROM mxproof.evidence');
  expect(evidence).toEqual({ count: 40 });
});

test('a slow server gives a pending answer, and the check goes on', async () => {
  const checker = createFakeChecker();
  const singles = singlesOf(checker);
  const verified = await verify(singles, 'slow@example.com', 100);
  expect(verified.kind).toBe('pending');
  await until(async () =>
    expect(await service.list((verified as { listId: number }).listId)).toMatchObject({ status: 'checking' }),
  );
  checker.release();
  await service.done((verified as { listId: number }).listId);
});

test('a greylisted single check goes on as a job, and a request that still waits learns of its end', async () => {
  const checker = createFakeChecker({ laterMs: 200 });
  await service.node(checker);
  expect(stateOf(await verify(singlesOf(checker), 'wait@example.com'))).toBe('deliverable');
  expect(checker.asked.get('wait@example.com')).toBe(2);
  expect(await jobs()).toEqual([]);
});

test('a node that does not check leaves it to one that does, and waits for the answer', async () => {
  const checker = createFakeChecker();
  await service.node(checker);
  const context = createContext(service.db, createJobs(service.db, { safetyNetSeconds: 0 }), service.box);
  expect(stateOf(await verify(singlesOf(null), 'ok@example.com', 10_000, context))).toBe('deliverable');
});

test('a single check whose node died is taken over by its job', async () => {
  const list = await service.submit(['ok@example.com'], { single: true });
  const checker = createFakeChecker();
  await service.node(checker);
  // What came later is taken and done; the single check's own node may still live.
  const later = await service.submit(['later@example.com']);
  await service.done(later.id);
  expect([...checker.asked.keys()]).toEqual(['later@example.com']);
  await service.db.query('UPDATE mxproof.jobs SET due_at = now()');
  await service.done(list.id);
});

test('a node that stops hands its unasked single checks on', async () => {
  const checker = createFakeChecker({ width: 1 });
  const singles = singlesOf(checker);
  const waits = [verify(singles, 'slow1@example.com'), verify(singles, 'ok2@example.com')];
  await until(() => expect(checker.asked.size).toBe(1));
  await until(async () => expect(await jobs()).toHaveLength(2));
  const stopped = singles.stop();
  const other = createFakeChecker();
  await service.node(other);
  await until(() => expect(other.asked.size).toBe(1));
  checker.release();
  await stopped;
  const [first, second] = await Promise.all(waits);
  expect(stateOf(first!)).toBe('deliverable');
  // A request at a node that stops is not kept waiting.
  expect(['deliverable', 'pending']).toContain(stateOf(second!));
  await service.done((second as { listId: number }).listId);
});

test('a single check that has no answer by the end of the stop goes on elsewhere at once', async () => {
  const singles = singlesOf(createFakeChecker(), { stopGraceMs: 50 });
  const verified = verify(singles, 'slow@example.com');
  await until(async () => expect(await jobs()).toHaveLength(1));
  await singles.stop();
  expect(stateOf(await verified)).toBe('pending');
  const [job] = await service.db.query('SELECT due_at <= now() AS due FROM mxproof.jobs');
  expect(job).toEqual({ due: true });
});

test('an answer that cannot be written while the database is away is kept until it can', async () => {
  let isAway = true;
  let refused = 0;
  const db: typeof service.db = {
    ...service.db,
    prepared(name, text, values) {
      if (name !== 'finish-singles' || !isAway) return service.db.prepared(name, text, values);
      refused += 1;
      return Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    },
  };
  const checker = createFakeChecker();
  const singles = singlesOf(checker, { context: { ...service.context, db } });
  const verified = verify(singles, 'ok@example.com');
  await until(() => expect(refused).toBeGreaterThan(1));
  isAway = false;
  expect(stateOf(await verified)).toBe('deliverable');
  expect(checker.asked.get('ok@example.com')).toBe(1);
});
