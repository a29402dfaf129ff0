import type { Evidence, Finding, Outcome } from '@mxproof/engine';
import { expect, test } from 'vitest';
import { addresses } from '../../test/service.ts';
import { accepted } from '../../test/verdicts.ts';
import type { ChunkJob } from '../rules/chunk-owners.ts';
import { type EvidencePack, unpackEvidence } from '../rules/evidence-pack.ts';
import { checkChunk } from './check-chunk.ts';
import { ClaimedChunk } from './claimed-chunk.ts';

const T0 = 1_000_000;
const RESUME = { attempt: 1, source: null, mailFrom: '', firstAskedAtMs: 0, meaning: null } as const;

function claimed(size: number, job: Partial<ChunkJob> = {}): ClaimedChunk {
  const emails = JSON.stringify(addresses(size));
  return new ClaimedChunk(
    { claim: { jobId: 1, number: 1 }, job: { listId: 7, accountId: 1, n: 2, ...job } },
    {
      listId: 7,
      accountId: 1,
      n: 2,
      size,
      emails,
      results: null,
      owners: null,
      testName: null,
      isPaused: false,
    },
    T0,
  );
}

const final = (rule = 'fake'): Outcome => ({
  kind: 'final',
  finding: {
    ...accepted,
    email: 'ok@example.com',
    evidence: { dialogue: [], session: [], rule } as Partial<Evidence>,
  } as Finding,
});
const later = (notBeforeMs: number): Outcome => ({ kind: 'later', notBeforeMs, resume: RESUME, why: '450' });
const rulesOf = (packs: readonly EvidencePack[]) =>
  packs.flatMap((pack) => [...unpackEvidence(pack.text())].map(([position, { rule }]) => [position, rule]));
const unasked: Outcome = { kind: 'unasked' };

test('it asks about the positions its job owns, with what earlier attempts left', () => {
  const chunk = claimed(5, { owner: 0, waiting: [{ position: 1 }, { position: 4, resume: RESUME }] });
  expect(chunk.questions()).toEqual([
    { email: 'ok1@example.com' },
    { email: 'ok4@example.com', resume: RESUME },
  ]);
  expect([chunk.listId, chunk.n, chunk.size, chunk.rank]).toEqual([7, 2, 2, -2]);
});

test('stored addresses that cannot be read are a defect that quotes none of them', () => {
  const job = { claim: { jobId: 1, number: 1 }, job: { listId: 7, accountId: 1, n: 0 } };
  const row = {
    listId: 7,
    accountId: 1,
    n: 0,
    size: 1,
    emails: '["ann@example.com',
    results: null,
    owners: null,
    testName: null,
    isPaused: false,
  };
  expect(() => new ClaimedChunk(job, row, T0)).toThrow(/^the stored addresses are not JSON$/);
});

test('a verdict is written without its evidence, which is written beside it', () => {
  const chunk = claimed(2);
  chunk.keepOutcome(1, final('250'), () => T0);
  const { verdicts, evidence } = chunk.takeUnwritten(T0 + 1_000)!;
  expect([...verdicts]).toEqual([[1, accepted]]);
  expect(rulesOf(evidence)).toEqual([[1, '250']]);
});

test('verdicts of a chunk that goes on are due a second after the last write, not before', () => {
  const chunk = claimed(3);
  expect(chunk.isDue(T0 + 60_000)).toBe(false);
  chunk.keepOutcome(0, final(), () => T0);
  expect([chunk.isDue(T0 + 999), chunk.isDue(T0 + 1_000)]).toEqual([false, true]);
  chunk.takeUnwritten(T0 + 1_000);
  chunk.keepOutcome(1, final(), () => T0 + 1_001);
  expect([chunk.isDue(T0 + 1_999), chunk.isDue(T0 + 2_000)]).toEqual([false, true]);
});

test('deferred positions leave together: after five seconds, or when one of them is due soon', () => {
  const chunk = claimed(4);
  chunk.keepOutcome(0, later(T0 + 600_000), () => T0);
  chunk.keepOutcome(1, later(T0 + 600_000), () => T0 + 4_000);
  expect([chunk.isDue(T0 + 4_999), chunk.isDue(T0 + 5_000)]).toEqual([false, true]);
  expect(chunk.takeUnwritten(T0 + 4_999)).toBeNull();
  expect(chunk.takeUnwritten(T0 + 5_000)!.deferred.map(({ position }) => position)).toEqual([0, 1]);
  chunk.keepOutcome(2, later(T0 + 8_500), () => T0 + 6_000);
  expect([chunk.isDue(T0 + 6_500), chunk.isDue(T0 + 6_501)]).toEqual([false, true]);
});

test('deferred positions that are not due stay when verdicts are taken', () => {
  const chunk = claimed(2);
  chunk.keepOutcome(0, later(T0 + 600_000), () => T0);
  chunk.keepOutcome(1, final(), () => T0);
  expect(chunk.takeUnwritten(T0 + 1_000)).toMatchObject({ deferred: [], isLast: false });
  chunk.end();
  expect(chunk.takeUnwritten(T0 + 1_001)).toMatchObject({ deferred: [{ position: 0 }], isLast: true });
});

test('what could not be written is written with what came in since, each position once', () => {
  const chunk = claimed(4);
  chunk.keepOutcome(0, final('first'), () => T0);
  chunk.keepOutcome(1, later(T0 + 1), () => T0);
  const failed = chunk.takeUnwritten(T0 + 1_000)!;
  chunk.keepOutcome(2, final('second'), () => T0 + 1_000);
  chunk.keepOutcome(3, later(T0 + 2), () => T0 + 1_000);
  chunk.putBack(failed);
  chunk.end();
  const taken = chunk.takeUnwritten(T0 + 2_000)!;
  expect([...taken.verdicts.keys()]).toEqual([0, 2]);
  expect(rulesOf(taken.evidence)).toEqual([
    [0, 'first'],
    [2, 'second'],
  ]);
  expect(taken.deferred.map(({ position }) => position)).toEqual([1, 3]);
  expect(chunk.takeUnwritten(T0 + 3_000)).toMatchObject({ evidence: [], deferred: [] });
});

test('unasked positions are handed back for now, or for later where nothing is reachable', () => {
  const stopped = claimed(1);
  stopped.stop();
  stopped.keepOutcome(0, unasked, () => T0);
  stopped.end();
  expect(stopped.takeUnwritten(T0)!.deferred).toEqual([{ position: 0, notBeforeMs: T0 }]);
  const unreachable = claimed(1);
  unreachable.stop(15_000);
  // A stop that follows does not make the wait shorter.
  unreachable.stop();
  unreachable.keepOutcome(0, unasked, () => T0);
  unreachable.end();
  expect(unreachable.takeUnwritten(T0)!.deferred).toEqual([{ position: 0, notBeforeMs: T0 + 15_000 }]);
});

test('an answer that comes after its position was handed back changes nothing', () => {
  const chunk = claimed(2);
  chunk.keepOutcome(0, final(), () => T0);
  chunk.handBackOpen(T0 + 10_000);
  chunk.keepOutcome(1, final(), () => T0 + 10_001);
  expect(chunk.isOver).toBe(true);
  expect(chunk.defect).toBeNull();
  const { verdicts, deferred } = chunk.takeUnwritten(T0 + 10_002)!;
  expect([...verdicts.keys()]).toEqual([0]);
  expect(deferred).toEqual([{ position: 1, notBeforeMs: T0 + 10_000 }]);
});

test('a lost chunk is asked about no more, and its verdicts still count', () => {
  const chunk = claimed(2);
  chunk.keepOutcome(0, final(), () => T0);
  chunk.lose();
  expect([chunk.isLost, chunk.isStopping, chunk.signal.aborted]).toEqual([true, true, true]);
  expect(chunk.takeUnwritten(T0 + 1_000)!.verdicts.size).toBe(1);
});

test('a checker that throws, or leaves a position without an outcome, is a defect of the chunk', async () => {
  const throwing = claimed(1);
  const thrown = new Error('a defect');
  await checkChunk({ ask: () => Promise.reject(thrown) }, throwing);
  expect([throwing.isOver, throwing.defect]).toEqual([true, thrown]);
  const silent = claimed(1);
  await checkChunk({ ask: async () => {} }, silent);
  expect([silent.isOver, String(silent.defect)]).toEqual([
    true,
    'Error: the checker left addresses without an outcome',
  ]);
});
