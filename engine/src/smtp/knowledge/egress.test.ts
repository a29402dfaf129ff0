import { expect, test } from 'vitest';
import { Egress } from './egress.ts';

const egress = () =>
  new Egress([
    { ip: '192.0.2.1', heloName: 'one.example' },
    { ip: '192.0.2.2', heloName: 'two.example' },
  ]);

test('a domain keeps its source; the other one is used where that is blocked or was tried', () => {
  const ours = egress();
  const first = ours.choose('a.example', 'google', 0, 0);
  if (first === null) throw new Error('no source');
  expect(ours.choose('a.example', 'google', 0, 1)).toBe(first);
  const other = ours.choose('a.example', 'google', ours.bit(first), 1);
  expect(other).not.toBe(first);
  ours.block(first, 'google', 1);
  expect(ours.choose('a.example', 'google', 0, 2)).toBe(other);
  expect(ours.choose('a.example', 'microsoft', 0, 2)).toBe(first);
  expect(ours.choose('a.example', 'google', 0, 1 + 15 * 60_000)).toBe(first);
});

test('with every source blocked or tried there is none', () => {
  const ours = egress();
  for (const source of ours.sources) ours.block(source, 'google', 0);
  expect(ours.choose('a.example', 'google', 0, 1)).toBeNull();
  expect(ours.choose('a.example', 'microsoft', 0b11, 1)).toBeNull();
});

test('a later attempt is bound to its source only while that is ours', () => {
  expect(egress().bound('192.0.2.2')?.heloName).toBe('two.example');
  expect(egress().bound('192.0.2.3')).toBeNull();
});
