// New lists of what an old one left open; they are charged as any.
import type { ListSummary } from '@mxproof/client';
import { splitAddresses } from '@mxproof/files/addresses';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { NAME_MAX } from '../design/rename-form.tsx';
import { nameOf } from '../lists/rename-list.tsx';
import { messages } from '../messages/messages.ts';
import { partName } from '../new-list/start-lists.ts';
import { newKey } from '../own-file/idempotency-keys.ts';
import { keys, mx } from '../shell/api.ts';
import type { RetrySource } from './use-retries.ts';

/** The unknown ones. Their answers come back to the page of the list that they are of. */
export function useCheckAgain(left: readonly RetrySource[]) {
  const queries = useQueryClient();
  return useNewLists(async () => {
    for (const { part, last } of left) {
      const list = await mx.lists.retry(last.id);
      // Two lists of one name would be mistaken for each other; that it could not be renamed is no reason to stop.
      await mx.lists.rename(list.id, cut(messages.list.againOf(nameOf(part)))).catch(() => {});
      queries.setQueryData(keys.list(list.id), list);
      await queries.invalidateQueries({ queryKey: keys.retries(part.id) });
    }
  });
}

/** Those never checked. The page goes to their list. */
export function useCheckRest(name: string, addresses: () => readonly string[]) {
  const navigate = useNavigate();
  return useNewLists(async () => {
    const parts = splitAddresses(addresses(), mx.mode ?? 'live');
    const group = parts.length > 1 ? { group: newKey() } : {};
    const made: ListSummary[] = [];
    for (const [at, emails] of parts.entries())
      made.push(await mx.lists.create({ name: partName(cut(name), at, parts.length), emails, ...group }));
    if (made[0]) await navigate({ to: '/lists/$id', params: { id: String(made[0].id) } });
  });
}

export function cut(name: string): string {
  return [...name].slice(0, NAME_MAX).join('');
}

export function useNewLists(make: () => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: make,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keys.account });
      void queries.invalidateQueries({ queryKey: keys.lists });
    },
  });
}
