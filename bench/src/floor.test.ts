import { expect, test } from 'vitest';
import { floorSeconds } from './floor.ts';

const ORDINARY = {
  connections: 10,
  recipientsPerTransaction: 50,
  recipientsPerConnection: 100,
  refusalsPerConnection: 9,
};

test('one recipient a connection costs its opening and one round trip each time', () => {
  const limits = { ...ORDINARY, connections: 1, recipientsPerConnection: 1 };
  expect(floorSeconds([{ addresses: 100, refusalShare: 0.2 }], limits, 20)).toBeCloseTo(100 * 3 * 0.02);
});

test('hosts that refuse no recipient are asked a whole session in two flights, and the busiest host decides', () => {
  const limits = { ...ORDINARY, refusalsPerConnection: 50 };
  const hosts = [
    { addresses: 1000, refusalShare: 0 },
    { addresses: 10, refusalShare: 0 },
  ];
  expect(floorSeconds(hosts, limits, 20)).toBeCloseTo((1000 / (25 * 10)) * 0.02);
});

test('bearing more refusals is worth round trips', () => {
  const host = [{ addresses: 10_000, refusalShare: 0.2 }];
  expect(floorSeconds(host, ORDINARY, 20)).toBeGreaterThan(
    3 * floorSeconds(host, { ...ORDINARY, refusalsPerConnection: 25 }, 20) * 0.7,
  );
});
