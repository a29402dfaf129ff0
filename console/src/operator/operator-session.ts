// The operator's session in this browser, and what it may do.
import type { OperatorSession, OperatorSignInWays } from '@mxproof/client/admin';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { browserSession } from '../shell/browser-session.ts';
import { proofKept } from '../shell/session-proof.ts';

const PATH = '/operator/session';
const EVERY_MS = 60_000;
const UNAUTHORIZED = 401;

/** As the page behind a link of `mxproof admin link` has it. */
export const operatorProof = proofKept('mxproof-operator-proof');

const session = browserSession({
  path: PATH,
  proofHeader: 'mxproof-operator-proof',
  keyField: 'admin_key',
  proof: operatorProof,
});
export const signInOperator = session.signIn;

export const OPERATOR_SESSION = ['operator', 'session'] as const;

/** How operators can sign in here, as the service says it, also to those who have not. */
export const operatorWaysQuery = {
  queryKey: ['operator-ways'] as const,
  queryFn: async (): Promise<OperatorSignInWays> => {
    const answer = await fetch(`${PATH}/ways`, { cache: 'no-store' });
    if (!answer.ok) throw new Error(`GET ${PATH}/ways: ${answer.status}`);
    return (await answer.json()) as OperatorSignInWays;
  },
  staleTime: Number.POSITIVE_INFINITY,
};

/** Null: there is none. */
export function useOperatorSession() {
  return useQuery({
    queryKey: OPERATOR_SESSION,
    async queryFn() {
      const answer = await session.send('GET');
      if (answer.status === UNAUTHORIZED) return null;
      if (!answer.ok) throw new Error(`GET ${PATH}: ${answer.status}`);
      return (await answer.json()) as OperatorSession;
    },
    refetchInterval: EVERY_MS,
  });
}

export async function signOutOperator(): Promise<void> {
  await session.signOut();
  // Nothing that was shown stays in memory.
  location.assign('/operator');
}

/** Whether the session may change anything: of scope write. */
export const MayChange = createContext(false);
export const useMayChange = (): boolean => useContext(MayChange);
