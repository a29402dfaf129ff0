import { expect, test } from 'vitest';
import { HostErrors } from './host-errors.ts';

const POLICY = 10;
const HOUR_MS = 3_600_000;

test('sessions stay one below the number of errors the host hung up at, for an hour', () => {
  const errors = new HostErrors(POLICY);
  expect(errors.perSession(0)).toBe(POLICY);
  errors.hungUpAfter(4, 0);
  expect(errors.perSession(HOUR_MS - 1)).toBe(3);
  expect(errors.perSession(HOUR_MS)).toBe(POLICY);
});

test('what is learnt only falls, never below one and never above the policy', () => {
  const errors = new HostErrors(POLICY);
  errors.hungUpAfter(50, 0);
  expect(errors.perSession(1)).toBe(POLICY);
  errors.hungUpAfter(4, 1);
  errors.hungUpAfter(8, 2);
  expect(errors.perSession(3)).toBe(3);
  errors.hungUpAfter(1, 3);
  expect(errors.perSession(4)).toBe(1);
});

test('a host ends sessions at the first error once it says so, or has done it twice', () => {
  const silent = new HostErrors(POLICY);
  expect([silent.hungUpAfterFirst(false, 0), silent.endsAtFirst(1), silent.perSession(1)]).toEqual([
    false,
    false,
    POLICY,
  ]);
  expect([silent.hungUpAfterFirst(false, 1), silent.endsAtFirst(2), silent.perSession(2)]).toEqual([
    true,
    true,
    1,
  ]);
  const outspoken = new HostErrors(POLICY);
  expect(outspoken.hungUpAfterFirst(true, 0)).toBe(true);
});

test('after its hour a host is as one that never hung up', () => {
  const errors = new HostErrors(POLICY);
  errors.hungUpAfterFirst(true, 0);
  expect(errors.endsAtFirst(HOUR_MS)).toBe(false);
  errors.forgetOld(HOUR_MS - 1);
  expect(errors.endsAtFirst(HOUR_MS - 1)).toBe(true);
  errors.forgetOld(HOUR_MS);
  expect(errors.hungUpAfterFirst(false, HOUR_MS)).toBe(false);
});

test('the share of refusals follows what is seen, by a tenth of the way each flight', () => {
  const errors = new HostErrors(POLICY);
  errors.answered(10, 10);
  expect(errors.refusalShare).toBeCloseTo(0.28);
  errors.answered(10, 0);
  expect(errors.refusalShare).toBeCloseTo(0.252);
});
