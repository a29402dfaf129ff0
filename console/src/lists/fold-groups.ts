// The lists of a group as one. Pure.
import type { Group, ListSummary } from '@mxproof/client';

/** Null: it is gone, or cannot be read. Missing: not known yet. */
export type Groups = ReadonlyMap<string, Group | null>;

export interface ShownList {
  readonly list: ListSummary;
  /** Of more than one, the name is that of their file. */
  readonly ids: readonly number[];
}

/**
 * Each group at the place of its newest list: its others may be on pages that are not read yet. A group that is not known
 * yet is not shown, or its lists would visibly merge into one.
 */
export function foldGroups(lists: readonly ListSummary[], groups: Groups): readonly ShownList[] {
  const seen = new Set<Group>();
  return lists.flatMap((list) => {
    const group = list.group ? groups.get(list.group) : null;
    if (group === null) return { list, ids: [list.id] };
    if (group === undefined || seen.has(group)) return [];
    seen.add(group);
    const parts = lists.filter((one) => one.group === list.group);
    return { list: { ...group, id: group.lists[0]!, paused_at: pausedAt(parts) }, ids: group.lists };
  });
}

/** A file is paused while each of its lists that has not ended is, as far as they are read. */
function pausedAt(parts: readonly ListSummary[]): number | null {
  const since = parts.flatMap(({ finished_at, paused_at }) =>
    finished_at === null ? [paused_at ?? null] : [],
  );
  return since.length === 0 || since.includes(null) ? null : Math.max(...since.map(Number));
}
