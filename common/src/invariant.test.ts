import { afterEach, expect, test } from 'vitest';
import { type BrokenInvariant, invariant, logInvariants } from './invariant.ts';

const STRICT = Symbol.for('mxproof.strict');

afterEach(() => Reflect.set(globalThis, STRICT, true));

test('in tests a broken invariant throws, with where it happened', () => {
  expect(() => invariant(false, 'a queue has fewer than no tasks', () => 'mx.example')).toThrow(
    'a queue has fewer than no tasks (mx.example)',
  );
  invariant(true, 'this holds');
});

test('in production it is logged once for each kind, and work goes on', () => {
  Reflect.set(globalThis, STRICT, false);
  const log: BrokenInvariant[] = [];
  const stop = logInvariants((event) => log.push(event));
  for (const at of ['sent', 'done']) invariant(false, 'a test of invariants is broken', () => `at ${at}`);
  expect(log).toEqual([
    { level: 'error', event: 'invariant_broken', text: 'a test of invariants is broken (at sent)' },
  ]);
  stop();
  invariant(false, 'another test of invariants is broken');
  expect(log).toHaveLength(1);
});
