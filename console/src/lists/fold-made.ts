// What was made of a list lies under it: its retries and its corrections. Pure.
// Promise: only lists that can have been made of another one are asked about, since each question is a request.
import type { ListSummary } from '@mxproof/client';
import type { ShownList } from './fold-groups.ts';

export type Making = 'retries' | 'corrections';
export const MAKINGS: readonly Making[] = ['retries', 'corrections'];

/** What the service was told to have been made of a list. */
export interface Made {
  readonly of: number;
  readonly by: Making;
  readonly ids: readonly number[];
}

/** A question, and the newest list that the answer may name: with a newer one it is asked again. */
export interface Question extends Pick<Made, 'of' | 'by'> {
  readonly newest: number;
}

/** One of the lists that a row of Lists stands for. */
export interface Member {
  readonly id: number;
  /** A part of its file, or how it was made. */
  readonly kind: 'part' | Making;
}

interface LaterList {
  readonly list: ListSummary;
  readonly by: Making;
}

export interface Family extends ShownList {
  /** Oldest first. */
  readonly later: readonly LaterList[];
}

/** `lists`: newest first, as the service has them. */
export function questionsOf(lists: readonly ListSummary[]): readonly Question[] {
  return lists.flatMap((list, at) => {
    if (list.finished_at === null) return [];
    const newer = lists.slice(0, at).filter(({ group }) => !group);
    return MAKINGS.flatMap((by) => {
      const newest = newer.find(({ total }) => total <= mostMadeOf(list, by));
      return newest ? { of: list.id, by, newest: newest.id } : [];
    });
  });
}

/** Addresses that a retry or a correction of it can have. */
function mostMadeOf({ total, checked, counts }: ListSummary, by: Making): number {
  return by === 'retries' ? counts.unknown + total - checked : total - counts.deliverable;
}

/** Each family at the place of its first list. What was made of a list that is not read stands alone. */
export function foldMade(shown: readonly ShownList[], made: readonly Made[]): readonly Family[] {
  const parents = new Map<number, { readonly of: number; readonly by: Making }>();
  // A retry is named by the lists before it too, of which the first is meant.
  for (const { of, by, ids } of made.toSorted((a, b) => a.of - b.of))
    for (const id of ids) if (!parents.has(id) && id > of) parents.set(id, { of, by });
  const firstOf = (id: number): number => (parents.has(id) ? firstOf(parents.get(id)!.of) : id);
  const places = new Map(shown.flatMap((one) => one.ids.map((id) => [id, one] as const)));
  const later = new Map<ShownList, LaterList[]>();
  const firsts = shown.filter((one) => {
    const { list } = one;
    const parent = parents.get(list.id);
    const first = places.get(firstOf(list.id));
    if (!parent || !first || first === one) return true;
    later.set(first, [{ list, by: parent.by }, ...(later.get(first) ?? [])]);
    return false;
  });
  return firsts.map((one) => ({ ...one, later: later.get(one) ?? [] }));
}

export function membersOf({ ids, later }: Family): readonly Member[] {
  return [
    ...ids.map((id) => ({ id, kind: 'part' as const })),
    ...later.map(({ list, by }) => ({ id: list.id, kind: by })),
  ];
}

export function isRunning({ list, later }: Family): boolean {
  return [list, ...later.map((one) => one.list)].some(({ finished_at }) => finished_at === null);
}
