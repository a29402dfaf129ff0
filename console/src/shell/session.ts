// Signing in and out. The key goes to the service once and is kept nowhere in the browser.
import { ConnectionFailed, type SignedIn } from '@mxproof/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys, mx } from './api.ts';
import { nextBalanceMs } from './live-balance.ts';
import { type LowBalance, lowBalance } from './low-balance.ts';
import { isSignedOut, isWorthRetrying } from './problem.ts';
import { keepSessionProof, sessionProof } from './session-proof.ts';

/** The pace of a month does not change in a minute. */
const USAGE_STALE_MS = 300_000;

export async function signIn(apiKey: string): Promise<'signed_in' | 'wrong_key' | 'too_many'> {
  const answer = await send('POST', { api_key: apiKey });
  if (answer.ok) {
    keepSessionProof(((await answer.json()) as SignedIn).proof);
    return 'signed_in';
  }
  if (answer.status === 401) return 'wrong_key';
  if (answer.status === 429) return 'too_many';
  throw new Error(`POST /session: ${answer.status}`);
}

async function send(method: 'POST' | 'DELETE', body?: object): Promise<Response> {
  try {
    return await fetch('/session', {
      method,
      headers: {
        'x-mxproof-console': '1',
        'mxproof-session-proof': sessionProof() ?? '',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new ConnectionFailed('No answer from the service.', { cause });
  }
}

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
    mutationFn: async () => {
      const answer = await send('DELETE');
      // 401: the session has ended already.
      if (!answer.ok && answer.status !== 401) throw new Error(`DELETE /session: ${answer.status}`);
    },
    onSuccess: () => {
      keepSessionProof(null);
      // Nothing that one account loaded may be visible to the next.
      queries.clear();
      location.assign('/');
    },
  });
}
