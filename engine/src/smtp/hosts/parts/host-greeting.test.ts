import { expect, test } from 'vitest';
import { HostGreeting } from './host-greeting.ts';

test('a failed handshake costs TLS ten minutes', () => {
  const greeting = new HostGreeting();
  expect(greeting.mayTls(0)).toBe(true);
  greeting.handshakeFailed(0);
  expect(greeting.mayTls(10 * 60_000 - 1)).toBe(false);
  expect(greeting.mayTls(10 * 60_000)).toBe(true);
});

test.each([
  ['one drop', ['drop'], false],
  ['two drops in a row', ['drop', 'drop'], true],
  ['a session that worked between two drops', ['drop', 'worked', 'drop'], false],
  ['a session that worked after two', ['drop', 'drop', 'worked'], true],
  ['MAIL that wants TLS after two', ['drop', 'drop', 'wants TLS'], false],
  ['one more drop after that', ['drop', 'drop', 'wants TLS', 'drop'], true],
] as const)('HELO only, after %s at EHLO', (_what, history, heloOnly) => {
  const greeting = new HostGreeting();
  for (const one of history) {
    if (one === 'drop') greeting.hungUpOnEhlo();
    else greeting.worked(one === 'wants TLS');
  }
  expect(greeting.heloOnly).toBe(heloOnly);
});
