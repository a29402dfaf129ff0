import { expect, test } from 'vitest';
import { SessionDeadline } from './session-deadline.ts';
import { DEFAULT_TIMEOUTS, type SessionTimeouts } from './session-plan.ts';

const S = 1_000;

/** The first second at which the wait is over. */
function secondsOf(
  happens: (deadline: SessionDeadline) => void,
  { answerMs = null, ...given }: Partial<SessionTimeouts> & { answerMs?: number | null } = {},
): number {
  const deadline = new SessionDeadline({ answerMs, timeouts: { ...DEFAULT_TIMEOUTS, ...given } }, 0);
  happens(deadline);
  let second = 0;
  while (!deadline.isPast(second * S)) second += 1;
  return second;
}

test.each<[string, (deadline: SessionDeadline) => void, Partial<SessionTimeouts>, number]>([
  ['a connect', () => {}, {}, 15],
  ['the banner', (at) => at.connected(5 * S), {}, 65],
  ['a reply of the greeting', (at) => at.greeting(5 * S), { replyMs: 90 * S }, 95],
  ['a handshake has a minute at most', (at) => at.handshake(5 * S), { replyMs: 90 * S }, 65],
  ['a reply asked for alone', (at) => at.command(false, 5 * S), { replyMs: 90 * S }, 95],
  ['a reply of a flight has a minute at most', (at) => at.command(true, 5 * S), { replyMs: 90 * S }, 65],
  ['what may still come', (at) => at.linger(5 * S), { lingerMs: 3 * S }, 8],
  ['the goodbye of a quick host', (at) => at.goodbye(true, 10, 5 * S), {}, 10],
  ['the goodbye of a slow host', (at) => at.goodbye(true, 10 * S, 5 * S), {}, 45],
  ['the goodbye of a very slow host', (at) => at.goodbye(true, 50 * S, 5 * S), {}, 65],
  ['a reply, at the end of the session', (at) => at.command(false, 590 * S), {}, 600],
  ['the goodbye, at the end of the session', (at) => at.goodbye(true, 10, 598 * S), {}, 600],
])('%s', (_what, happens, given, seconds) => {
  expect(secondsOf(happens, given)).toBe(seconds);
});

test('after a silence all replies together have one time, until a recipient is answered about', () => {
  const slowly = (at: SessionDeadline) => {
    at.connected(0);
    at.greeting(70 * S);
    at.command(false, 100 * S);
  };
  const answered = (at: SessionDeadline) => {
    slowly(at);
    at.answered();
    at.command(false, 110 * S);
  };
  expect(secondsOf(slowly, { answerMs: 120 * S })).toBe(120);
  expect(secondsOf(answered, { answerMs: 120 * S })).toBe(170);
});
