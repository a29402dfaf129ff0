// A list in the service, and a list in the API.
import type { Counts } from './chunk-results.ts';
import type { ListFile } from './list-file.ts';

export const LIST_STATUSES = ['processing', 'checking', 'done', 'failed'] as const;
export type ListStatus = (typeof LIST_STATUSES)[number];

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
  /** Lists with the same word are shown as one. Null: it stands alone. */
  readonly group: string | null;
  /** Of a retry: the first list. */
  readonly retryOf: number | null;
  /** What it was made of, where its client has said so. */
  readonly file: ListFile | null;
  /** Null: it is not paused. */
  readonly pausedAtSeconds: number | null;
  /** That made it, or that the browser was signed in with; null: not known. */
  readonly keyId: number | null;
  readonly createdAtSeconds: number;
  readonly finishedAtSeconds: number | null;
  /** When its addresses and results were deleted; null: they are there. */
  readonly resultsExpiredAtSeconds: number | null;
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
