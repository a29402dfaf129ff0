// Signing in and out. The key goes to the service once and is kept nowhere in the browser.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { keys, mx } from './api.ts';

const CONSOLE = { 'x-mxproof-console': '1' };

/** Null: the key is wrong. */
export async function signIn(apiKey: string): Promise<'signed_in' | 'wrong_key' | 'too_many'> {
  const answer = await fetch('/session', {
    method: 'POST',
    headers: { ...CONSOLE, 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  });
  if (answer.ok) return 'signed_in';
  if (answer.status === 401) return 'wrong_key';
  if (answer.status === 429) return 'too_many';
  throw new Error(`POST /session: ${answer.status}`);
}

export function useAccount() {
  return useQuery({ queryKey: keys.account, queryFn: ({ signal }) => mx.account.get({ signal }) });
}

export function useSignOut() {
  const queries = useQueryClient();
  return async () => {
    await fetch('/session', { method: 'DELETE', headers: CONSOLE });
    // Whatever one account saw must not be there for the next.
    queries.clear();
    location.assign('/');
  };
}
