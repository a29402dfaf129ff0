// The summary of a list as lines of a table, for those that come from a service and those that come from the store.

import type { ListSummary } from '@mxproof/client';
import { dateOf, plain } from '../shared/print.ts';

export function summaryRows(list: ListSummary): (string | number)[][] {
  const { counts } = list;
  return [
    ['list', list.id],
    ['name', plain(list.name)],
    ['status', list.paused_at ? `${list.status}, paused since ${dateOf(list.paused_at)}` : list.status],
    ['checked', `${list.checked} of ${list.total}`],
    ['deliverable', counts.deliverable],
    ['risky', counts.risky],
    ['undeliverable', counts.undeliverable],
    ['unknown', counts.unknown],
    ['duplicates', list.duplicates_removed],
    ['created', dateOf(list.created_at)],
    ['finished', dateOf(list.finished_at)],
  ];
}
