import { afterEach, expect, test, vi } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';

const HOUR_MS = 3_600_000;
/** Enough chunks that some wait to be written at every moment. */
const ADDRESSES = 10_000;

let service: TestService;
afterEach(async () => {
  vi.restoreAllMocks();
  await service.close();
});

test.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('a clock that steps %s by an hour, again and again, while a list is written holds up nothing and asks about no address twice', async (_, stepMs) => {
  service = await startTestService();
  const checker = createFakeChecker({ width: 200, replyMs: 20 });
  await service.node(checker);
  const list = await service.submit(addresses(ADDRESSES));
  const real = Date.now.bind(Date);
  let steps = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => real() + steps * stepMs);
  // Again and again while it is checked, so that every kind of wait is met by a step.
  await until(async () => {
    if (checker.asked.size > 0 && checker.asked.size < ADDRESSES) steps++;
    expect(await service.list(list.id)).toMatchObject({ status: 'done' });
  });
  expect(steps).toBeGreaterThan(0);
  expect([...checker.asked.values()].filter((times) => times > 1)).toEqual([]);
});
