import { expect, test } from 'vitest';
import { isAllowedPort, mayTryTargets } from './callback-targets.ts';

test('a port is allowed where one of the ranges has it; without ranges any is, and https has 443', () => {
  const ports = [
    { from: 443, to: 443 },
    { from: 8_000, to: 8_999 },
  ];
  const allowed = (url: string, given: typeof ports | null = ports) => isAllowedPort(new URL(url), given);
  expect(['', ':443', ':8000', ':8999'].map((port) => allowed(`https://you.example${port}/`))).toEqual(
    Array(4).fill(true),
  );
  expect([':22', ':7999', ':9000'].map((port) => allowed(`https://you.example${port}/`))).toEqual(
    Array(3).fill(false),
  );
  expect(allowed('https://you.example:22/', null)).toBe(true);
});

test('new targets are tried while few are silent, wait for those under way, and are refused beyond', () => {
  const decide = (silent: number, underWay: number, unknown = 1) =>
    mayTryTargets({ silent, underWay, unknown });
  expect([decide(0, 0, 20), decide(19, 0), decide(0, 19)]).toEqual(['yes', 'yes', 'yes']);
  expect([decide(0, 20), decide(19, 1), decide(0, 1, 20)]).toEqual(['later', 'later', 'later']);
  expect([decide(20, 0), decide(19, 0, 2)]).toEqual(['no', 'no']);
  expect(decide(20, 20, 0)).toBe('yes');
});
