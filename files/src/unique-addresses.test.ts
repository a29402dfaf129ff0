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

test('an address is sent and found as it was meant, and says so', () => {
  const addresses = new UniqueAddresses(
    new Map([
      ['gmial.com', 'gmail.com'],
      ['gmail,com', 'gmail.com'],
    ]),
  );
  for (const text of [
    'Ann@Gmial.com',
    'ann@gmail.com',
    'bob@gmail,com',
    'cy@web.de.',
    'di@gmial.com.',
    '@',
    'x@.',
  ])
    addresses.add(text);
  expect([...addresses.all()]).toEqual([
    ...['ann@gmail.com', 'bob@gmail.com', 'cy@web.de', 'di@gmail.com', '@', 'x@.'],
  ]);
  for (const email of addresses.all()) addresses.settle(verdictOf(email));
  const meant = (text: string) => addresses.find(text)?.result.checked_as;
  expect(meant('Ann@Gmial.com')).toBe('ann@gmail.com');
  expect(meant('cy@web.de.')).toBe('cy@web.de');
  expect(meant('ANN@gmail.com')).toBeUndefined();
});
