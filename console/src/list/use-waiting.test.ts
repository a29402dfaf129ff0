import type { ListWaiting } from '@mxproof/client';
import { expect, test } from 'vitest';
import { waitingOf } from './use-waiting.ts';

const group = {
  ...{ why: 'greylisted', host: 'mx.a', provider: null, addresses: 2, attempt: 2 },
  next_attempt_at: 90,
} as const;
const part = (done_by: number | null): ListWaiting => ({
  ...{ pending: 3, checking: 1, done_by, waiting: [group] },
});

test('the parts of a list wait as one, and it is done when the last of them is', () => {
  expect(waitingOf([part(100), part(200)])).toEqual({
    pending: 6,
    checking: 2,
    doneBy: 200,
    causes: [{ why: 'greylisted', host: 'mx.a', addresses: 4, nextAttemptAt: 90 }],
  });
});

test('what has ended waits for nothing', () => {
  expect(waitingOf([{ pending: 0, checking: 0, done_by: null, waiting: [] }])).toBeUndefined();
});
