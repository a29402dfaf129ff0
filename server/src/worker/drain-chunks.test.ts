import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, quiet } from '../../test/service.ts';
import { checkChunk } from './check-chunk.ts';
import { ClaimedChunk, type UnwrittenResults } from './claimed-chunk.ts';
import { createClaimedChunks } from './claimed-chunks.ts';
import { drainChunks } from './drain-chunks.ts';
import type { Writer } from './writer.ts';

/** A node with one chunk of `slow` addresses, of which `width` are on the wire. */
function nodeOf(size: number, width: number) {
  const checker = createFakeChecker({ width });
  const claimedChunks = createClaimedChunks();
  const chunk = new ClaimedChunk(
    { claim: { jobId: 1, number: 1 }, job: { listId: 1, accountId: 1, n: 0 } },
    {
      listId: 1,
      accountId: 1,
      n: 0,
      size,
      emails: JSON.stringify(addresses(size, 'slow')),
      results: null,
      owners: null,
      testName: null,
      isPaused: false,
    },
    0,
  );
  claimedChunks.add(chunk);
  void checkChunk(checker, chunk);
  const written: UnwrittenResults[] = [];
  const writer: Writer = {
    idle: true,
    soon: () => {},
    tick(nowMs) {
      for (const one of claimedChunks.all()) {
        const unwritten = one.isDue(nowMs) && one.takeUnwritten(nowMs);
        if (unwritten) written.push(unwritten);
        if (one.isOver) claimedChunks.drop(one);
      }
    },
  };
  return { checker, claimedChunks, chunk, writer, written };
}

test('what is unasked is handed back before what is on the wire has answered', async () => {
  const { checker, claimedChunks, writer, written } = nodeOf(10, 3);
  const drained = drainChunks({ claimedChunks, writer, log: quiet, graceMs: 20_000 });
  expect(written.flatMap(({ deferred }) => deferred.map(({ position }) => position))).toEqual([
    3, 4, 5, 6, 7, 8, 9,
  ]);
  checker.release();
  await drained;
  expect(written.flatMap(({ verdicts }) => [...verdicts.keys()])).toEqual([0, 1, 2]);
  expect(claimedChunks.size).toBe(0);
});

test('what has not answered when the time is over is handed back, and a late answer changes nothing', async () => {
  const { checker, claimedChunks, writer, written } = nodeOf(3, 3);
  await drainChunks({ claimedChunks, writer, log: quiet, graceMs: 0 });
  checker.release();
  expect(written.flatMap(({ verdicts }) => [...verdicts.keys()])).toEqual([]);
  expect(written.flatMap(({ deferred }) => deferred.map(({ position }) => position))).toEqual([0, 1, 2]);
});

test('what cannot be written is logged once, and the stop ends', async () => {
  const { claimedChunks, writer } = nodeOf(3, 3);
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const stuck: Writer = { ...writer, tick: () => {} };
  await drainChunks({ claimedChunks, writer: stuck, log, graceMs: 0, writeLimitMs: 0 });
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'stopped with unwritten chunks', chunks: 1 },
  ]);
});
