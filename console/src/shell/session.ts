// Signing in and out, and the account that is signed in.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys, mx } from './api.ts';
import { browserSession } from './browser-session.ts';
import { nextBalanceMs } from './live-balance.ts';
import { type LowBalance, lowBalance } from './low-balance.ts';
import { isSignedOut, isWorthRetrying } from './problem.ts';
import { rememberRole } from './role-memory.ts';
import { accountProof } from './session-proof.ts';

/** The pace of a month does not change in a minute. */
const USAGE_STALE_MS = 300_000;

export const accountSession = browserSession({
  path: '/session',
  proofHeader: 'mxproof-session-proof',
  keyField: 'api_key',
  proof: accountProof,
});

export const accountQuery = {
  queryKey: keys.account,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const account = await mx.account.get({ signal });
    return { ...account, isTest: mx.mode === 'test' };
  },
};

export function useAccount() {
  return useQuery(accountQuery);
}

/** The same, kept up to date while the tab is visible. For the shell, which is there once. */
export function useLiveAccount() {
  return useQuery({
    ...accountQuery,
    refetchInterval: ({ state: { error, dataUpdatedAt, errorUpdatedAt } }) =>
      isSignedOut(error) ? false : nextBalanceMs(dataUpdatedAt, error && errorUpdatedAt),
    refetchOnWindowFocus: (query) => isWorthRetrying(query) && 'always',
  });
}

export const USAGE_DAYS = 30;

/** Null: it is not low, or not known yet. Test credits are never low. */
export function useLowBalance(): LowBalance | null {
  const { data: account } = useAccount();
  const usage = useQuery({
    queryKey: keys.usage(USAGE_DAYS),
    queryFn: ({ signal }) => mx.account.usage({ days: USAGE_DAYS, signal }),
    staleTime: USAGE_STALE_MS,
    enabled: account?.isTest === false,
  });
  return account?.isTest === false ? lowBalance(account.credits, usage.data ?? null) : null;
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: accountSession.signOut,
    onSuccess: () => {
      // Nothing that one account loaded may be visible to the next.
      queries.clear();
      rememberRole(undefined);
      location.assign('/');
    },
  });
}
