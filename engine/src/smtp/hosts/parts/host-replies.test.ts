import { expect, test } from 'vitest';
import { HostReplies } from './host-replies.ts';

test('a host that mixed up replies is asked one by one for an hour', () => {
  const replies = new HostReplies();
  expect(replies.mayPipeline(0)).toBe(true);
  replies.mixedUp(0);
  expect(replies.mayPipeline(3_600_000 - 1)).toBe(false);
  expect(replies.mayPipeline(3_600_000)).toBe(true);
});

test('the first words seen for RSET stay, those not seen do not count', () => {
  const replies = new HostReplies();
  replies.sawResetWords(null);
  expect(replies.resetWords).toBeNull();
  replies.sawResetWords('250 2.0.0 flushed');
  replies.sawResetWords('250 2.0.0 ok');
  expect(replies.resetWords).toBe('250 2.0.0 flushed');
});
