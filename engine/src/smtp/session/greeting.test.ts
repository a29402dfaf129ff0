import { expect, test } from 'vitest';
import { type GreetingState, hello, nextInGreeting } from './greeting.ts';
import { DEFAULT_TIMEOUTS, type SessionPlan } from './session-plan.ts';

const PLAN: SessionPlan = {
  target: { ip: '192.0.2.1', port: 25, source: null, hostName: 'mx.a.example' },
  heloName: 'p.example',
  mayTls: true,
  demandsTls: false,
  heloOnly: false,
  mayPipeline: true,
  answerMs: null,
  timeouts: DEFAULT_TIMEOUTS,
};

/** `EHLO p.example`, or what happens instead of another line. */
function next(state: GreetingState, said: string, plan: Partial<SessionPlan> = {}, tls = false): string {
  const [greeting = '', ...offers] = said.slice(4).split(' / ');
  const reply = { code: Number(said.slice(0, 3)), enhanced: null, lines: [greeting, ...offers] };
  const step = nextInGreeting(state, reply, { ...PLAN, ...plan }, tls);
  return step.kind === 'say' ? step.line : step.kind;
}

test.each([
  ['banner', '220 mx', 'EHLO p.example'],
  ['banner', '421 4.3.2 busy', 'refused'],
  ['banner', '554 5.7.1 go away', 'refused'],
  ['ehlo', '250 mx / PIPELINING', 'ready'],
  ['ehlo', '250 mx / STARTTLS', 'STARTTLS'],
  ['ehlo', '500 what?', 'HELO p.example'],
  ['ehlo', '502 5.5.1 not implemented', 'HELO p.example'],
  // It takes no mail, whatever it is greeted with (RFC 7504), or not now.
  ['ehlo', '521 no mail here', 'refused'],
  ['ehlo', '554 no mail here', 'refused'],
  ['ehlo', '451 4.3.0 later', 'refused'],
  // A banner said twice is not an answer to EHLO: every later reply would be moved by one.
  ['ehlo', '220 mx', 'refused'],
  ['helo', '250 mx', 'ready'],
  ['helo', '220 mx', 'refused'],
  ['helo', '550 5.7.1 no', 'refused'],
  ['starttls', '220 go ahead', 'handshake'],
  ['starttls', '454 4.7.0 not now', 'ready'],
  ['starttls', '502 what?', 'ready'],
  ['starttls', '421 4.3.2 closing', 'refused'],
] as const)('%s answered with "%s": %s', (state, said, expected) => {
  expect(next(state, said)).toBe(expected);
});

test.each([
  ['after the handshake it is not said again', {}, true, 'ready'],
  ['after a handshake that failed it is left out', { mayTls: false }, false, 'ready'],
] as const)('STARTTLS is offered; %s', (_what, plan, tls, expected) => {
  expect(next('ehlo', '250 mx / STARTTLS', plan, tls)).toBe(expected);
});

test('STARTTLS is said without an offer where the host demanded TLS, even after HELO', () => {
  expect(next('ehlo', '250 mx', { demandsTls: true })).toBe('STARTTLS');
  expect(next('helo', '250 mx', { demandsTls: true })).toBe('STARTTLS');
  expect(next('ehlo', '250 mx', { demandsTls: true, mayTls: false })).toBe('ready');
});

test('a host that hangs up on EHLO is greeted with HELO', () => {
  expect(hello({ ...PLAN, heloOnly: true })).toMatchObject({ line: 'HELO p.example', state: 'helo' });
  expect(next('banner', '220 mx', { heloOnly: true })).toBe('HELO p.example');
});
