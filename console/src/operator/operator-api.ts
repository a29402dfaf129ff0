// The operator's pages' one connection to the service: /admin/v1 and this browser's session of an operator. Promise: nothing
// of an account's own API is asked for; what is shown stays until the answer to another question about the same is there.
import type { CallOptions, PostOptions } from '@mxproof/client';
import { MXProofAdmin } from '@mxproof/client/admin';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { newKey } from '../own-file/new-key.ts';
import { operatorProof } from './operator-session.ts';

const TIMEOUT_MS = 30_000;
const UNAUTHORIZED = 401;
let onSignedOut = () => {};

export const admin = new MXProofAdmin({
  session: true,
  sessionProof: operatorProof.read,
  // A page asks again by itself, or offers it.
  maxRetries: 1,
  timeoutMs: TIMEOUT_MS,
  async fetch(input, init) {
    const answer = await fetch(input, init);
    if (answer.status === UNAUTHORIZED) onSignedOut();
    return answer;
  },
});

/** Called by the first request that finds that the session has ended. */
export function whenOperatorSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

/** All that is cached for an operator. */
export const OPERATOR = ['operator'] as const;

/** As of an unknown object: TypeScript does not see that no answer is a function. */
const KEEPS: object = { placeholderData: keepPreviousData };

/** `everyMs`: while it is looked at; unset: once, and when the window is looked at again. */
export function useAdmin<T>(
  key: readonly unknown[],
  read: (options: CallOptions) => Promise<T>,
  everyMs?: number,
) {
  return useQuery({
    queryKey: [...OPERATOR, ...key],
    queryFn: ({ signal }) => read({ signal }),
    refetchInterval: everyMs ?? false,
    ...KEEPS,
  });
}

/**
 * What an operator changes. Pressed twice, or tried again after no answer came, it is done once; afterwards everything on the
 * page is read again.
 */
export function useChange<Answer, Wanted = void>(
  change: (options: PostOptions, wanted: Wanted) => Promise<Answer>,
) {
  const queries = useQueryClient();
  /** Not known to be done. */
  const begun = useRef<{ readonly what: string; readonly key: string } | null>(null);
  return useMutation({
    async mutationFn(wanted: Wanted) {
      const what = JSON.stringify(wanted) ?? '';
      if (begun.current?.what !== what) begun.current = { what, key: newKey() };
      const answer = await change({ idempotencyKey: begun.current.key }, wanted);
      begun.current = null;
      return answer;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: OPERATOR }),
  });
}
