import { expect, test } from 'vitest';
import { verdictOf } from '../test/in-memory.ts';
import { UniqueAddresses } from './unique-addresses.ts';

test('equal results are kept once, but those that are chosen apart from those that are not', () => {
  const addresses = new UniqueAddresses();
  for (const name of ['ann', 'ben', 'cy']) addresses.add(`${name}@x.com`);
  addresses.settle(verdictOf('ann@x.com'), true);
  addresses.settle(verdictOf('ben@x.com'), false);
  addresses.settle(verdictOf('CY@x.com '), true);
  const [ann, ben, cy] = ['ann', 'ben', 'cy'].map((name) => addresses.find(`${name}@x.com`));
  expect([ann?.isChosen, ben?.isChosen]).toEqual([true, false]);
  expect(cy).toBe(ann);
});

test('nothing is known of an address without a result, nor of one that was not added', () => {
  const addresses = new UniqueAddresses();
  addresses.add('ann@x.com');
  addresses.settle(verdictOf('ben@x.com'));
  expect([addresses.find('ann@x.com'), addresses.find('ben@x.com')]).toEqual([null, null]);
});
