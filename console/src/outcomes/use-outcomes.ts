// Whether outcomes are on, and what they say.
import { useQuery } from '@tanstack/react-query';
import { keys, mx } from '../shell/api.ts';

/** Of the session's mode, as every setting of an account; read by the account's page too. */
export function useSettings() {
  return useQuery({
    queryKey: keys.settings,
    queryFn: async ({ signal }) => (await mx.account.get({ include: 'settings', signal })).settings ?? null,
  });
}

export const DAY_CHOICES = ['30', '90', '366'] as const;
export type DayChoice = (typeof DAY_CHOICES)[number];

export function useAccuracy(days: DayChoice) {
  return useQuery({
    queryKey: keys.accuracy(days),
    queryFn: ({ signal }) => mx.accuracy({ days: Number(days), signal }),
    placeholderData: (before) => before,
  });
}
