// How the queues of jobs are, all accounts together.
import type { Row, Tx } from './database.ts';

export interface QueueState {
  readonly kind: string;
  readonly due: number;
  readonly later: number;
  readonly claimed: number;
  /** Of the oldest that is due and not claimed; null: there is none. */
  readonly oldestSeconds: number | null;
}

export function readQueues(tx: Tx): Promise<QueueState[]> {
  return tx.query<QueueState & Row>(
    `SELECT j.queue AS kind,
       count(*) FILTER (WHERE is_claimed) AS claimed,
       count(*) FILTER (WHERE NOT is_claimed AND due_at <= now()) AS due,
       count(*) FILTER (WHERE NOT is_claimed AND due_at > now()) AS later,
       -- What need not wait has no time of its own: it is as old as its list without its pauses, or as the end of it.
       extract(epoch FROM now() - min(CASE WHEN due_at > '-infinity' THEN due_at
         ELSE coalesce(l.finished_at, l.created_at + l.paused_for) END)
         FILTER (WHERE NOT is_claimed AND due_at <= now()))::float8 AS "oldestSeconds"
     FROM mxproof.jobs j LEFT JOIN mxproof.lists l ON l.id = j.list_id GROUP BY 1`,
  );
}
