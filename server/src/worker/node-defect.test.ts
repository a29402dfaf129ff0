import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { verifyLedger } from '../store/verify-ledger.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

test('a defect is tried again three times, counted by us, then the list is failed with its cause', async () => {
  await service.node(createFakeChecker({ defectiveFor: (email) => email.startsWith('bad') }));
  const list = await service.submit([...addresses(250), 'bad@example.com']);
  const failures = async () =>
    (await service.db.query<{ failures: number }>('SELECT failures FROM mxproof.chunks WHERE n = 1'))[0]
      ?.failures;
  for (const tries of [1, 2, 3]) {
    await until(async () => expect(await failures()).toBe(tries));
    expect((await service.list(list.id))?.status).toBe('checking');
    await service.hurryDelayedJobs();
  }
  await until(async () => expect((await service.list(list.id))?.status).toBe('failed'));
  expect((await service.list(list.id))?.failure).toBe('chunk 1: Error: a defect in the checker');
  expect(await service.list(list.id)).toMatchObject({ checked: 250, deliverable: 250 });
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test('a stored chunk that cannot be read is such a defect too', async () => {
  const list = await service.submit(addresses(3));
  await service.db.query(`UPDATE mxproof.chunks SET emails = 'no JSON'`);
  await service.node(createFakeChecker());
  await until(async () => {
    await service.hurryDelayedJobs();
    expect((await service.list(list.id))?.status).toBe('failed');
  });
});
