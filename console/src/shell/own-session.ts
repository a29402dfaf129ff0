// Who is signed in, and what they may do here.
// Promise: what the service refuses to a role is not offered to it, not even for a moment.
import type { OwnSession } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { keys } from './api.ts';
import { type Role, rememberedRole, rememberRole } from './role-memory.ts';
import { accountSession } from './session.ts';

const STALE_MS = 60_000;
/** Other tabs have pages of the account before. */
const SWITCHED = 'mxproof-switched';

function useSessionQuery() {
  return useQuery({
    queryKey: keys.session,
    queryFn: async () => {
      const answer = await accountSession.send('GET');
      if (!answer.ok) throw new Error(`GET /session: ${answer.status}`);
      const session = (await answer.json()) as OwnSession;
      rememberRole(session.role);
      return session;
    },
    staleTime: STALE_MS,
  });
}

export function useOwnSession(): OwnSession | undefined {
  return useSessionQuery().data;
}

/** Null: signed in with a key or a link of the operator; undefined: not known yet. */
export function useRole(): Role | undefined {
  const { data, isError } = useSessionQuery();
  if (data) return data.role;
  return isError ? null : rememberedRole();
}

export interface May {
  /** Check addresses, and change lists. */
  readonly change: boolean;
  /** Manage keys, webhooks, the account itself: of a key, the service decides. */
  readonly manage: boolean;
}

export function useMay(): May {
  const role = useRole() ?? null;
  return { change: role !== 'viewer', manage: role === null || role === 'owner' };
}

/** Nothing that one account loaded may be visible in another, in any tab. */
export function leaveForSwitched(): void {
  rememberRole(undefined);
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
