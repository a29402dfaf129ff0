import { pino } from 'pino';
import { expect, test } from 'vitest';
import { describeError } from '../store/describe-error.ts';
import { createIsolation } from './isolate.ts';

function isolation() {
  const lines: string[] = [];
  const log = pino(
    { serializers: { err: describeError } },
    { write: (line: string) => void lines.push(line) },
  );
  const clock = { nowMs: 0 };
  return { clock, lines, items: createIsolation<number>({ name: 'items', log, now: () => clock.nowMs }) };
}

test('an item that fails is logged once, without what it quotes, and tried again after ever longer rests', async () => {
  const { clock, lines, items } = isolation();
  const triedAtSeconds: number[] = [];
  const fail = async () => {
    triedAtSeconds.push(clock.nowMs / 1000);
    JSON.parse('anna@example.com');
  };
  for (; clock.nowMs <= 1_500_000; clock.nowMs += 500) await items.run(7, fail);
  expect(triedAtSeconds).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1_111, 1_411]);
  expect(lines).toEqual([
    expect.stringMatching(/"level":50.*"loop":"items","item":7,"err":\{"type":"SyntaxError","at"/),
  ]);
  expect(lines.join()).not.toContain('anna');
  expect(items.resting()).toEqual([7]);
  clock.nowMs += 300_000;
  expect(items.resting()).toEqual([]);
  await items.run(7, async () => {});
  expect(lines.at(-1)).toContain('recovered');
});

test('items that go well are done together, and one that does not is told apart and left out', async () => {
  const { clock, items } = isolation();
  const calls: number[][] = [];
  const done: number[] = [];
  const work = async (keys: readonly number[]) => {
    calls.push([...keys]);
    if (keys.includes(2)) throw new Error('two');
    done.push(...keys);
  };
  await items.runAll([1, 2, 3], work);
  expect(done).toEqual([1, 3]);
  calls.length = 0;
  await items.runAll([1, 2, 3], work);
  expect(calls).toEqual([[1, 3]]);
  clock.nowMs += 1_000;
  calls.length = 0;
  await items.runAll([1, 2, 3], work);
  expect(calls).toEqual([[1, 3], [2]]);
});

test('a database that does not answer is no fault of an item', async () => {
  const { lines, items } = isolation();
  const gone = async () => {
    throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  };
  await expect(items.run(1, gone)).rejects.toThrow('gone');
  await expect(items.runAll([1, 2], gone)).rejects.toThrow('gone');
  expect([items.resting(), lines]).toEqual([[], []]);
  // A statement that takes too long may take as long for ever.
  await items.run(1, async () => {
    throw Object.assign(new Error('canceled'), { code: '57014' });
  });
  expect(items.resting()).toEqual([1]);
});
