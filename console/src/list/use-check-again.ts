// New lists of what an old one left open; they are charged as any. Promise: what another window has begun meanwhile is not
// charged again.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { madeName } from '../lists/made-name.ts';
import { nameOf } from '../lists/rename-list.tsx';
import { listCharges } from '../messages/en-charge.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import type { Retriable } from './use-retries.ts';

/**
 * The unknown ones, and of a list that was stopped or failed those never checked. Their results come back to the page of the
 * list that they are of.
 */
export function useCheckAgain(left: readonly Retriable[]) {
  const queries = useQueryClient();
  return useNewLists(async () => {
    for (const { part } of left)
      await refuseIfBegun(queries, keys.retries(part.id), mx.lists.retries(part.id));
    for (const { part } of left) {
      const list = await mx.lists.retry(part.id);
      // That it could not be renamed is no reason to stop.
      await mx.lists.rename(list.id, madeName('retries', nameOf(part))).catch(() => {});
      queries.setQueryData(keys.list(list.id), list);
      await queries.invalidateQueries({ queryKey: keys.retries(part.id) });
    }
  });
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
