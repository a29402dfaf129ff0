import { expect, test } from 'vitest';
import { createRandom } from './random.ts';
import type { Whim } from './spec.ts';
import { Whims } from './whims.ts';

/** Recipients of one session and transaction, one every `stepMs`: r refused, t accepted. */
function fate(whim: Whim, count: number, stepMs = 0, luck = 0.5): string {
  const whims = new Whims([whim], createRandom(1));
  return Array.from({ length: count }, (_, i) => {
    const place = { inTransaction: i + 1, inSession: i + 1, luck };
    return whims.refuse(place, 1_000_000 + i * stepMs) ? 'r' : 't';
  }).join('');
}

test('by number, by order, the first ones', () => {
  expect(fate({ by: 'count', of: 'session', from: 4 }, 6)).toBe('tttrrr');
  expect(fate({ by: 'order', of: 'host', every: 3, rest: 0 }, 7)).toBe('ttrttrt');
  expect(fate({ by: 'first', of: 'transaction', recipients: 2 }, 5)).toBe('rrttt');
});

test('by pace: all come back when the minute is over, or one by one', () => {
  expect(fate({ by: 'rate', perMinute: 2, steadily: false }, 8, 20_000)).toBe('ttrttrtt');
  expect(fate({ by: 'rate', perMinute: 2, steadily: true }, 8, 15_000)).toBe('tttrtrtr');
});

test('whole sessions by their lot, and single recipients by chance', () => {
  expect(fate({ by: 'session', share: 0.6 }, 3)).toBe('rrr');
  expect(fate({ by: 'session', share: 0.4 }, 3)).toBe('ttt');
  expect(fate({ by: 'chance', share: 0.5 }, 40)).toMatch(/^(?=.*tr)(?=.*rt)[rt]{40}$/);
});
