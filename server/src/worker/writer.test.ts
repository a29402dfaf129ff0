import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { quiet, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { createChunkClaimer } from './claim-chunks.ts';
import { createClaimedChunks } from './claimed-chunks.ts';
import { createWriter } from './writer.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

test("a list is written before most of another account's, however many of those ended before it", async () => {
  const { context } = service;
  const checker = createFakeChecker({ width: 10_000 });
  const claimedChunks = createClaimedChunks();
  const over: number[] = [];
  const claimer = createChunkClaimer({
    context,
    checker,
    claimedChunks,
    others: () => ({ count: 0, sources: [] }),
    stopping: new AbortController().signal,
    log: quiet,
    onOver: (listId) => over.push(listId),
    onResumed() {},
  });
  await Promise.all(Array.from({ length: 200 }, (_, n) => service.submit([`ok${n}@example.com`])));
  const accountId = await service.open();
  const modest = await service.submit(['ok@example.com'], { accountId });
  await claimer.claim();
  await until(() => expect(over).toHaveLength(201));
  const done: number[] = [];
  const writer = createWriter({
    context,
    claimedChunks,
    checker,
    keepEvidence: true,
    log: Object.assign(Object.create(quiet), { info: ({ listId }: { listId: number }) => done.push(listId) }),
    onMadeRoom() {},
    onDeferred() {},
  });
  // Its end comes last.
  for (const listId of over.toSorted((one, other) => Number(one === modest.id) - Number(other === modest.id)))
    writer.soon(listId);
  await until(() => expect(done).toHaveLength(201));
  // By turns it is among the first twenty; how many are written in a turn depends on how busy the machine is.
  expect(done.indexOf(modest.id)).toBeLessThan(100);
  expect(writer.idle).toBe(true);
});
