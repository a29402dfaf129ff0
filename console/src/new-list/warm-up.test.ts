import { expect, test } from 'vitest';
import { newList } from '../messages/en-new-list.ts';
import { scarceToday } from './warm-up.ts';

const WARM_UP = {
  providers: [
    { provider: 'google', left: 120 },
    { provider: 'gmx', left: 0 },
    { provider: 'other', left: 5_000 },
  ],
  elsewhere: 50,
};

test('the large providers are named that leave less today than the file may need', () => {
  const left = (addresses: number) =>
    scarceToday(WARM_UP, addresses).map(({ provider, left }) => `${provider} ${left}`);
  expect(left(25)).toEqual([]);
  expect(left(26)).toEqual(['microsoft 50', 'outlook 50', 'yahoo 50']);
  expect(left(10_000)).toEqual(['google 120', 'microsoft 50', 'outlook 50', 'yahoo 50', 'other 5000']);
});

test('one sentence says how many, and what becomes of the rest', () => {
  const text = newList.warmingUp([
    { provider: 'google', left: 1_200 },
    { provider: 'outlook', left: 0 },
    { provider: 'other', left: 1 },
  ]);
  expect(text).toMatch(
    /check about 1,200 more addresses at Google, none at Outlook\.com, and 1 at smaller mail servers\./,
  );
  expect(text).toMatch(/refunded/);
  expect(newList.warmingUp([{ provider: 'google', left: 0 }])).toMatch(/check no more addresses at Google\./);
});
