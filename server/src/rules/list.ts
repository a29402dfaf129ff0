// A list in the service, and a list in the API.
import type { Counts } from './chunk-results.ts';

export type ListStatus = 'processing' | 'checking' | 'done' | 'failed';

export interface List {
  readonly id: number;
  readonly accountId: number;
  readonly single: boolean;
  readonly name: string;
  readonly status: ListStatus;
  readonly total: number;
  readonly duplicatesRemoved: number;
  readonly checked: number;
  readonly counts: Counts;
  readonly callbackUrl: string | null;
  readonly failure: string | null;
  readonly createdAtSeconds: number;
  readonly finishedAtSeconds: number | null;
}

/** One shape for POST, GET and the callback. */
export interface ListSummary {
  id: number;
  name: string;
  status: List['status'];
  total: number;
  duplicates_removed: number;
  checked: number;
  counts: { deliverable: number; risky: number; undeliverable: number; unknown: number };
  created_at: number;
  finished_at: number | null;
}

export function listSummary(list: List): ListSummary {
  return {
    id: list.id,
    name: list.name,
    status: list.status,
    total: list.total,
    duplicates_removed: list.duplicatesRemoved,
    checked: list.checked,
    counts: { ...list.counts },
    created_at: list.createdAtSeconds,
    finished_at: list.finishedAtSeconds,
  };
}
