// How people can sign in here, as the service says it, also to those who have not.
import type { SignInWays } from '@mxproof/client';
import { keys } from './api.ts';

export const waysQuery = {
  queryKey: keys.ways,
  queryFn: async (): Promise<SignInWays> => {
    const answer = await fetch('/session/ways', { cache: 'no-store' });
    if (!answer.ok) throw new Error(`GET /session/ways: ${answer.status}`);
    return (await answer.json()) as SignInWays;
  },
  staleTime: Number.POSITIVE_INFINITY,
};
