import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChunkJob, giveAway, positionsOf } from './chunk-owners.ts';

const SIZE = 12;
const pending = Array.from({ length: SIZE }, () => null);
const places = (positions: readonly { position: number }[]) => positions.map(({ position }) => position);

test('at every moment each position is asked by exactly one job', () => {
  const moves = fc.array(fc.uniqueArray(fc.nat(SIZE - 1), { minLength: 1, maxLength: 5 }), { maxLength: 20 });
  fc.assert(
    fc.property(moves, fc.infiniteStream(fc.nat()), (groups, pick) => {
      let owners: string | null = null;
      const jobs: ChunkJob[] = [{ listId: 1, accountId: 1, n: 0 }];
      for (const group of groups) {
        // A job gives away some of what is its own; a repeated number is no danger.
        const job = jobs[pick.next().value % jobs.length]!;
        const own = new Set(places(positionsOf(job, owners, pending)));
        const deferred = group.filter((position) => own.has(position)).map((position) => ({ position }));
        if (deferred.length === 0) continue;
        const given = giveAway(owners, [deferred]);
        owners = given.text;
        jobs.push({ listId: 1, accountId: 1, n: 0, owner: given.numbers[0]!, waiting: deferred });
        const asked = jobs.flatMap((one) => places(positionsOf(one, owners, pending)));
        expect(asked.sort((a, b) => a - b)).toEqual(Array.from({ length: SIZE }, (_, index) => index));
      }
    }),
  );
});

test('a job asks about nothing that is final', () => {
  const verdicts = pending.map((_, index) => (index === 3 ? ({} as never) : null));
  expect(places(positionsOf({ listId: 1, accountId: 1, n: 0 }, null, verdicts))).not.toContain(3);
});
