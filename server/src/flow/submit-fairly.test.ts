// Submissions that take long: only the same account's submissions wait for them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockWaits } from '../../test/lock-waits.ts';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { until } from '../../test/until.ts';
import type { IdempotencyKey } from '../store/idempotency.ts';
import { submitList } from './submit-list.ts';

let service: TestService;
let modest: number;
beforeEach(async () => {
  service = await startTestService();
  modest = await service.open();
});
afterEach(() => service.close());

/** As a list of 100,000 does while it is stored: its account's balance stays locked until `release`. */
async function lockBalance(accountId: number): Promise<{ release(): void; ended: Promise<void> }> {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const { context } = service;
  const ended = context.withSlot({ accountId, single: false, isLong: true }, () =>
    context.db.transaction(async (tx) => {
      await tx.query('SELECT id FROM mxproof.accounts WHERE id = $1 FOR UPDATE', [accountId]);
      locked.resolve();
      await promise;
    }),
  );
  await locked.promise;
  return { release, ended };
}

const submit = (accountId: number, count: number, idempotency: IdempotencyKey | null = null) =>
  submitList(service.context, submission(accountId, addresses(count), { idempotency }));

test("small lists and single checks of others do not wait for one account's balance", async () => {
  const { release, ended } = await lockBalance(service.accountId);
  let isStored = false;
  const own = submit(service.accountId, 1).then(() => {
    isStored = true;
  });
  for (let n = 0; n < 3; n++) expect((await submit(modest, 1)).kind).toBe('created');
  expect(isStored).toBe(false);
  release();
  await Promise.all([own, ended]);
});

test("an account's repeats that wait for its first request leave connections to other accounts", async () => {
  const { release, ended } = await lockBalance(service.accountId);
  const key = (accountId: number) =>
    ({ accountId, route: 'lists', key: 'again', bodyHash: Buffer.alloc(32) }) as const;
  const repeats = Array.from({ length: 40 }, () => submit(service.accountId, 1, key(service.accountId)));
  await until(async () => expect(await lockWaits(service.db)).toBeGreaterThan(0));
  expect((await submit(modest, 300, key(modest))).kind).toBe('created');
  release();
  const outcomes = await Promise.all(repeats);
  await ended;
  expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === 'repeated')).toHaveLength(39);
});
