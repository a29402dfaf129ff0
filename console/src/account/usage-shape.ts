// The chart of usage in numbers: how high each day is, and what the whole comes to.
import type { UsageDay } from '@mxproof/client';

export interface UsageShape {
  readonly charged: number;
  readonly refunded: number;
  /** Null: nothing was charged on any day. */
  readonly busiest: UsageDay | null;
  /** Top and bottom of the scale, round numbers; the bottom is for what was refunded. */
  readonly top: number;
  readonly bottom: number;
  /** Days on which something happened. */
  readonly active: readonly UsageDay[];
}

export function usageShape(days: readonly UsageDay[]): UsageShape {
  const most = (of: (day: UsageDay) => number) => Math.max(0, ...days.map(of));
  const sum = (of: (day: UsageDay) => number) => days.reduce((total, day) => total + of(day), 0);
  const highest = most(({ charged }) => charged);
  const lowest = most(({ refunded }) => refunded);
  return {
    charged: sum(({ charged }) => charged),
    refunded: sum(({ refunded }) => refunded),
    busiest: highest === 0 ? null : (days.find(({ charged }) => charged === highest) ?? null),
    top: roundUp(highest),
    bottom: lowest === 0 ? 0 : roundUp(lowest),
    active: days.filter(isActive),
  };
}

function isActive({ date: _, ...counts }: UsageDay): boolean {
  return Object.values(counts).some((count) => count > 0);
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * unit).find((step) => step >= value) ?? 10 * unit;
}
