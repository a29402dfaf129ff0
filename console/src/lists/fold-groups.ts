// Several lists of one file as one, where this browser knows that they are. Pure.
import type { ListSummary } from '@mxproof/client';
import { wholeOf } from '../list/whole-list.ts';
import type { Group } from '../own-file/own-file.ts';

export interface ShownList {
  readonly list: ListSummary;
  /** More than one: its name is that of its file. */
  readonly parts: number;
}

/** In the order of the lists; a whole stands where its first part does. */
export function foldGroups(lists: readonly ListSummary[], groups: readonly Group[]): readonly ShownList[] {
  const groupOf = new Map(groups.flatMap((group) => group.ids.map((id) => [id, group] as const)));
  const byId = new Map(lists.map((list) => [list.id, list]));
  const seen = new Set<Group>();
  return lists.flatMap((list) => {
    const group = groupOf.get(list.id);
    if (group === undefined) return { list, parts: 1 };
    if (seen.has(group)) return [];
    seen.add(group);
    const parts = group.ids.flatMap((id) => byId.get(id) ?? []);
    return { list: wholeOf(parts, group.name), parts: parts.length };
  });
}
