// New lists of what an old one left open; they are charged as any. Promise: what another window has begun meanwhile is not
// charged again.
import { IdempotencyKeyReused, ListNotFound, type ListSummary } from '@mxproof/client';
import { splitAddresses } from '@mxproof/files/addresses';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { NAME_MAX } from '../design/rename-form.tsx';
import { nameOf } from '../lists/rename-list.tsx';
import { listCharges } from '../messages/en-charge.ts';
import { listMessages } from '../messages/en-list.ts';
import { partName } from '../new-list/start-lists.ts';
import { newKey } from '../own-file/idempotency-keys.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import type { PricedRetry } from './use-retries.ts';

/** The unknown ones. Their answers come back to the page of the list that they are of. */
export function useCheckAgain(left: readonly PricedRetry[]) {
  const queries = useQueryClient();
  return useNewLists(async () => {
    for (const { part } of left)
      await refuseIfBegun(queries, keys.retries(part.id), mx.lists.retries(part.id));
    for (const { part, last } of left) {
      const list = await mx.lists.retry(last.id);
      // Two lists of one name would be mistaken for each other; that it could not be renamed is no reason to stop.
      await mx.lists.rename(list.id, cut(listMessages.list.againOf(nameOf(part)))).catch(() => {});
      queries.setQueryData(keys.list(list.id), list);
      await queries.invalidateQueries({ queryKey: keys.retries(part.id) });
    }
  });
}

/**
 * Those never checked. The page goes to their list. Begun from two windows, or once more after a lost answer, it is the same
 * list, charged once; unless that was deleted since.
 */
export function useCheckRest({ id }: ListSummary, name: string, addresses: readonly string[]) {
  const navigate = useNavigate();
  return useNewLists(async () => {
    const first =
      (await makeRest(`rest-of-${id}`, name, addresses)) ?? (await makeRest(newKey(), name, addresses));
    if (first !== null) await navigate({ to: '/lists/$id', params: { id: String(first) } });
  });
}

/** Null: this key was for another wish, or its list is gone. */
async function makeRest(key: string, name: string, addresses: readonly string[]): Promise<number | null> {
  const [head, ...tail] = splitAddresses(addresses, mx.mode ?? 'live');
  if (head === undefined) return null;
  const make = (emails: readonly string[], at: number) => {
    const list = { name: partName(cut(name), at, tail.length + 1), emails };
    const group = tail.length > 0 ? { group: key } : {};
    return mx.lists.create({ ...list, ...group }, { idempotencyKey: `${key}-${at}` });
  };
  const first = await make(head, 0)
    .then(({ id }) => mx.lists.get(id))
    .catch((error: unknown) => {
      // Other addresses are left now, or the list has another name; or it was deleted.
      if (error instanceof IdempotencyKeyReused || error instanceof ListNotFound) return null;
      throw error;
    });
  if (first === null) return null;
  for (const [at, emails] of tail.entries()) await make(emails, at + 1);
  return first.id;
}

/** Another window has begun it since this one was told what there is. Nothing was charged. */
class BegunElsewhere extends Error {
  override readonly name = 'BegunElsewhere';
}

/** `now`: the lists that were made so far. Those that this page does not know of are shown instead. */
export async function refuseIfBegun(
  queries: QueryClient,
  queryKey: readonly unknown[],
  now: Promise<readonly number[]>,
): Promise<void> {
  const known = queries.getQueryData<readonly number[]>(queryKey) ?? [];
  if ((await now).every((id) => known.includes(id))) return;
  await queries.invalidateQueries({ queryKey });
  throw new BegunElsewhere();
}

export function newListsProblem(error: Error): string {
  return error instanceof BegunElsewhere ? listCharges.begunElsewhere : problemText(error);
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
