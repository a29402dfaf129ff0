// The operator's session: signing in with an admin key, what it may do, signing out. Promise: the key goes to the service once and
// is kept nowhere in the browser.
import type { OperatorSession, OperatorSignedIn } from '@mxproof/client/admin';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { isSignedOut, OperatorRefusal, operatorProof, SESSION, send } from './operator-api.ts';

const PATH = '/operator/session';
const EVERY_MS = 60_000;
const TOO_MANY = 429;

/** Null: there is none. */
export function useOperatorSession() {
  return useQuery({
    queryKey: SESSION,
    queryFn: async ({ signal }) => {
      const answer = await send({ path: PATH }, signal).catch(nullIfSignedOut);
      return answer && ((await answer.json()) as OperatorSession);
    },
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: true,
  });
}

function nullIfSignedOut(error: unknown): null {
  if (isSignedOut(error)) return null;
  throw error;
}

export async function signInOperator(adminKey: string): Promise<'signed_in' | 'wrong_key' | 'too_many'> {
  try {
    const answer = await send({ method: 'POST', path: PATH, body: { admin_key: adminKey } });
    operatorProof.keep(((await answer.json()) as OperatorSignedIn).proof);
    return 'signed_in';
  } catch (error) {
    if (isSignedOut(error)) return 'wrong_key';
    if (error instanceof OperatorRefusal && error.status === TOO_MANY) return 'too_many';
    throw error;
  }
}

export async function signOutOperator(): Promise<void> {
  await send({ method: 'DELETE', path: PATH }).catch(nullIfSignedOut);
  operatorProof.keep(null);
  // Nothing that was shown stays in memory.
  location.assign('/operator');
}

/** Whether the session may change anything: of scope write. */
export const MayChange = createContext(false);
export const useMayChange = (): boolean => useContext(MayChange);
