// New lists of what an old one left open: they are charged as any, and the page goes to the first of them.
import type { ListSummary } from '@mxproof/client';
import { splitAddresses } from '@mxproof/files/addresses';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { NAME_MAX, nameOf } from '../lists/rename-list.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';

/** The unknown ones. */
export function useCheckAgain(parts: readonly ListSummary[]) {
  return useNewLists(async () => {
    const made: ListSummary[] = [];
    for (const part of parts) {
      if (part.counts.unknown === 0) continue;
      const list = await mx.lists.retry(part.id);
      made.push(list);
      // Two lists of one name would be mistaken for each other; that it could not be renamed is no reason to stop.
      await mx.lists.rename(list.id, cut(messages.list.againOf(nameOf(part)))).catch(() => {});
    }
    return made;
  });
}

export function useCheckRest(name: string, addresses: () => readonly string[]) {
  return useNewLists(async () => {
    const made: ListSummary[] = [];
    for (const emails of splitAddresses(addresses(), mx.mode ?? 'live'))
      made.push(await mx.lists.create({ name: cut(name), emails }));
    return made;
  });
}

function cut(name: string): string {
  return [...name].slice(0, NAME_MAX).join('');
}

function useNewLists(make: () => Promise<readonly ListSummary[]>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: make,
    onSuccess: async ([first]) => {
      if (first) await navigate({ to: '/lists/$id', params: { id: String(first.id) } });
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keys.account });
      void queries.invalidateQueries({ queryKey: keys.lists });
    },
  });
}
