import { expect, test, vi } from 'vitest';
import { createBodyBudget } from './body-budget.ts';

const CAPACITY = 1_000_000;
const LARGE = 500_000;
const SMALL = 1_000;
const GREEDY = 1;
const MODEST = 2;

/** A body being sent, of which so much has come. */
function sending(budget: ReturnType<typeof createBodyBudget>, accountId: number, bytes: number) {
  const reservation = budget.begin(accountId, LARGE);
  const cut = vi.fn();
  reservation.cut = cut;
  expect(reservation.grow(bytes)).toBe(true);
  return { reservation, cut };
}

test('an account alone may have all of it, and is refused what is beyond', () => {
  const budget = createBodyBudget(CAPACITY);
  const { cut } = sending(budget, GREEDY, 600_000);
  const second = sending(budget, GREEDY, 400_000);
  expect(budget.mayBegin(GREEDY, LARGE)).toBe(false);
  expect(second.reservation.grow(1)).toBe(false);
  expect(cut).not.toHaveBeenCalled();
  second.reservation.release();
  expect(budget.mayBegin(GREEDY, 400_000)).toBe(true);
});

test("another account's body ends uploads of the one that holds most, the slowest first, and no more than it needs", () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const budget = createBodyBudget(CAPACITY);
    const uploads = Array.from({ length: 5 }, () => sending(budget, GREEDY, 200_000));
    vi.advanceTimersByTime(60_000);
    for (const [index, { reservation }] of uploads.entries()) {
      reservation.release();
      uploads[index] = sending(budget, GREEDY, 200_000);
      if (index === 1) vi.advanceTimersByTime(60_000);
    }
    expect(budget.mayBegin(MODEST, 350_000)).toBe(true);
    const modest = sending(budget, MODEST, 350_000);
    expect(uploads.map(({ cut }) => cut.mock.calls.length)).toEqual([1, 1, 0, 0, 0]);
    expect(modest.cut).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});

test('what is being parsed is not ended', () => {
  const budget = createBodyBudget(CAPACITY);
  const { reservation } = sending(budget, GREEDY, CAPACITY);
  reservation.cut = null;
  const modest = budget.begin(MODEST, LARGE);
  expect(modest.grow(SMALL)).toBe(true);
  expect(modest.grow(LARGE)).toBe(false);
});

test("an account's small bodies have a place beside its own large ones", () => {
  const budget = createBodyBudget(CAPACITY);
  sending(budget, GREEDY, CAPACITY);
  expect(budget.mayBegin(GREEDY, SMALL)).toBe(true);
  expect(budget.begin(GREEDY, SMALL).grow(SMALL)).toBe(true);
});

test('two accounts that both want all end with about half each', () => {
  const budget = createBodyBudget(CAPACITY);
  const held = { [GREEDY]: 0, [MODEST]: 0 };
  for (let n = 0; n < 40; n++) {
    const accountId = n % 4 === 3 ? MODEST : GREEDY;
    const body = budget.begin(accountId, LARGE);
    let bytes = 0;
    body.cut = () => {
      held[accountId] -= bytes;
    };
    for (let piece = 0; piece < 5 && body.grow(20_000); piece++) {
      bytes += 20_000;
      held[accountId] += 20_000;
    }
  }
  expect(Math.abs(held[GREEDY] - held[MODEST])).toBeLessThanOrEqual(200_000);
  expect(held[GREEDY] + held[MODEST]).toBeGreaterThan(CAPACITY - 200_000);
});
