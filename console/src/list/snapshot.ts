// What a list's page says at one moment: all its numbers are counted from the rows that it shows. Pure. Promise: no two of
// them contradict each other, and none goes back while the list runs.
import type { ListSummary } from '@mxproof/client';
import type { Figures } from './figures.ts';
import { isFinished } from './use-list.ts';

export interface RowsRead {
  /** Of all its pages, as they were a moment ago. */
  readonly isRead: boolean;
  /** As the list ended. */
  readonly hasEnded: boolean;
  /** No more of them can be read for now. */
  readonly hasFailed: boolean;
  readonly ownFigures: Pick<Figures, 'checked' | 'counts'>;
}

/**
 * The list as its rows are, which come after what the service says of it. It ends with its last row.
 * `shown`: as this returned it the last time; null: nothing was shown yet.
 */
export function listAsRead(now: ListSummary, shown: ListSummary | null, rows: RowsRead): ListSummary {
  const wasRunning = shown !== null && !isFinished(shown);
  if (isFinished(now) && (!wasRunning || rows.hasEnded || rows.hasFailed)) return now;
  const status = isFinished(now) ? 'checking' : now.status;
  const { checked, counts } = rows.isRead ? rows.ownFigures : (shown ?? now);
  return { ...now, status, finished_at: null, checked, counts };
}
