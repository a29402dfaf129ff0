// What an operator changes. Promise: pressed twice, or tried again after no answer came, it is done once; afterwards everything on
// the page is read again.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { newKey } from '../own-file/new-key.ts';
import { type Asked, isSignedOut, OPERATOR, SESSION, send } from './operator-api.ts';

/** `ask`: below `/admin/v1`. */
export function useChange<Wanted, Answer>(ask: (wanted: Wanted) => Asked) {
  const queries = useQueryClient();
  /** Not known to be done. */
  const begun = useRef<{ readonly what: string; readonly key: string } | null>(null);
  return useMutation({
    async mutationFn(wanted: Wanted): Promise<Answer> {
      const asked = ask(wanted);
      const what = JSON.stringify(asked);
      if (begun.current?.what !== what) begun.current = { what, key: newKey() };
      const isOnce = asked.method === 'POST';
      const path = `/admin/v1${asked.path}`;
      const answer = await send({ ...asked, path, ...(isOnce && { idempotencyKey: begun.current.key }) });
      begun.current = null;
      return (await answer.json()) as Answer;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: OPERATOR }),
    onError: (error) => {
      if (isSignedOut(error)) void queries.invalidateQueries({ queryKey: SESSION });
    },
  });
}
