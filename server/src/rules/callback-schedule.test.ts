import { expect, test } from 'vitest';
import { delayAfterFailure, isDelivered, receiverOf } from './callback-schedule.ts';

test('three attempts: at once, 30 seconds after the first failed, 5 minutes after the second, then none', () => {
  expect([1, 2, 3, 4].map((made) => delayAfterFailure(made, [30, 300]))).toEqual([30, 300, null, null]);
});

test.each([
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [302, false],
  [404, false],
  [503, false],
])('a status of %i is delivered: %s', (status, delivered) => {
  expect(isDelivered(status)).toBe(delivered);
});

test("an account's receivers are told apart by host and port, not by path", () => {
  expect(receiverOf(1, 'https://a.example/x')).toBe(receiverOf(1, 'https://A.example:443/y'));
  expect(receiverOf(1, 'https://a.example/x')).not.toBe(receiverOf(2, 'https://a.example/x'));
  expect(receiverOf(1, 'https://a.example/x')).not.toBe(receiverOf(1, 'https://a.example:8443/x'));
});
