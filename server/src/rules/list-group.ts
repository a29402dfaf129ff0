// Lists of one group as one: a file of more addresses than a list holds. Decides, touches nothing.
import type { List, ListStatus, ListSummary } from './list.ts';

/** 100 million addresses. */
export const MAX_GROUP_LISTS = 1_000;
export const GROUP_PATTERN = '^[A-Za-z0-9_-]{1,64}$';
const GROUP = new RegExp(GROUP_PATTERN);

export function isGroup(given: unknown): given is string {
  return typeof given === 'string' && GROUP.test(given);
}

export type GroupSummary = Omit<ListSummary, 'id'> & { group: string; lists: number[] };

/** Of its lists, oldest first; null: there is none. */
export function groupSummary(group: string, lists: readonly List[]): GroupSummary | null {
  const [oldest] = lists;
  if (!oldest) return null;
  const sum = (of: (list: List) => number) => lists.reduce((all, list) => all + of(list), 0);
  const ends = lists.flatMap(({ finishedAtSeconds }) => finishedAtSeconds ?? []);
  const hasEnded = ends.length === lists.length;
  return {
    group,
    name: fileName(oldest.name),
    lists: lists.map(({ id }) => id),
    status: statusOf(lists, hasEnded),
    total: sum(({ total }) => total),
    duplicates_removed: sum(({ duplicatesRemoved }) => duplicatesRemoved),
    checked: sum(({ checked }) => checked),
    counts: {
      deliverable: sum(({ counts }) => counts.deliverable),
      risky: sum(({ counts }) => counts.risky),
      undeliverable: sum(({ counts }) => counts.undeliverable),
      unknown: sum(({ counts }) => counts.unknown),
    },
    created_at: Math.min(...lists.map(({ createdAtSeconds }) => createdAtSeconds)),
    finished_at: hasEnded ? Math.max(...ends) : null,
  };
}

function statusOf(lists: readonly List[], hasEnded: boolean): ListStatus {
  const isOne = (word: ListStatus) => lists.some(({ status }) => status === word);
  if (hasEnded) return isOne('failed') ? 'failed' : 'done';
  return lists.every(({ status }) => status === 'processing') ? 'processing' : 'checking';
}

/** `contacts.csv (1 of 3)` → `contacts.csv` */
function fileName(listName: string): string {
  return listName.replace(/ \(\d+ of \d+\)$/, '');
}
