// Who is signed in, and what they may do here.
// Promise: what the service refuses to a role is not offered to it; while the role is not known, it is as if there was none.
import type { OwnSession } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { keys } from './api.ts';
import { accountSession } from './session.ts';

const STALE_MS = 60_000;
/** Other tabs have pages of the account before. */
const SWITCHED = 'mxproof-switched';

export function useOwnSession(): OwnSession | undefined {
  const { data } = useQuery({
    queryKey: keys.session,
    queryFn: async () => {
      const answer = await accountSession.send('GET');
      if (!answer.ok) throw new Error(`GET /session: ${answer.status}`);
      return (await answer.json()) as OwnSession;
    },
    staleTime: STALE_MS,
  });
  return data;
}

export interface May {
  /** Check addresses, and change lists. */
  readonly change: boolean;
  /** Manage keys, webhooks, the account itself: of a key, the service decides. */
  readonly manage: boolean;
}

export function useMay(): May {
  const role = useOwnSession()?.role ?? null;
  return { change: role !== 'viewer', manage: role === null || role === 'owner' };
}

/** Nothing that one account loaded may be visible in another, in any tab. */
export function leaveForSwitched(): void {
  try {
    localStorage.setItem(SWITCHED, String(Date.now()));
  } catch {
    // Without storage, no other tab is signed in.
  }
  location.assign('/');
}

export function followSwitches(): void {
  addEventListener('storage', ({ key }) => key === SWITCHED && location.assign('/'));
}
