// A list as a model reads it: how far it is, what it waits for, what to do with how many, and how to read the rest.
import { type ListSummary, sumUpWaiting, type WaitingCause } from '@mxproof/client';
import { type Reason, waitingPhrase } from '@mxproof/common/vocabulary/labels';
import { actionCounts, isoTime, RESULT_FIELDS, resultView } from './result-view.ts';
import type { Call, Json, View } from './tool.ts';

export const MAX_ROWS = 100;
const MAX_CAUSES = 6;

/** A list that may be waited for at most so long by one call, since hosts give up after a minute. */
export const MAX_WAIT_SECONDS = 50;

/** The list as it is when it ends, or when the time is over. */
export async function waitForList(listId: number, waitMs: number, call: Call): Promise<ListSummary> {
  if (waitMs > 0) {
    const timeout = AbortSignal.timeout(Math.ceil(waitMs));
    try {
      return await call.mx.lists.wait(listId, {
        signal: AbortSignal.any([call.signal, timeout]),
        onProgress: ({ checked, total }) =>
          call.report(checked, total, `${checked} of ${total} addresses checked`),
      });
    } catch (error) {
      if (!timeout.aborted || call.signal.aborted) throw error;
    }
  }
  return call.mx.lists.get(listId, { signal: call.signal });
}

/** Names of lists were written by people: data, as addresses are. */
export function summaryView(list: ListSummary): View {
  return {
    list_id: list.id,
    list_name: list.name,
    status: list.status,
    addresses: list.total,
    checked: list.checked,
    duplicates_removed: list.duplicates_removed,
    created_at: isoTime(list.created_at),
    finished_at: isoTime(list.finished_at),
  };
}

export async function progressView(list: ListSummary, call: Call): Promise<View> {
  const { signal } = call;
  const { reasons } = await call.mx.lists.breakdown(list.id, { signal });
  const view = { ...summaryView(list), what_to_do: actionCounts(reasons) };
  if (list.status === 'failed')
    return { ...view, next: 'It was stopped or failed; addresses that were not checked were refunded.' };
  if (!isUnfinished(list)) return view;
  const { waiting, done_by, checking } = await call.mx.lists.waiting(list.id, { signal });
  const isPaused = waiting.some(({ why }) => why === 'paused');
  return {
    ...view,
    being_asked_now: checking,
    waits_for: sumUpWaiting(waiting).slice(0, MAX_CAUSES).map(causeView),
    done_by: isoTime(done_by),
    next: isPaused ? 'It is paused until the user resumes it.' : readLater('list_progress', list.id),
  };
}

export const isUnfinished = ({ status }: ListSummary) => status !== 'done' && status !== 'failed';

export const readLater = (tool: string, listId: number) =>
  `It goes on by itself: call ${tool} with list_id ${listId} later; do not check these addresses again.`;

function causeView({ why, host, addresses, nextAttemptAt }: WaitingCause): Json {
  const words = waitingPhrase(why);
  const because =
    typeof words === 'string'
      ? words
      : host === null
        ? `their mail servers ${words[1]}`
        : `their mail server ${words[0]}`;
  return { addresses, because, mail_server: host, next_attempt_at: isoTime(nextAttemptAt) };
}

interface PageOptions {
  readonly offset: number;
  readonly limit: number;
  readonly reason?: readonly Reason[];
}

/** One page of rows, and where the next one begins. */
export async function rowsView(listId: number, page: PageOptions, { mx, signal }: Call): Promise<View> {
  const { offset, limit } = page;
  const { results, total } = await mx.lists.page(listId, { ...page, include: RESULT_FIELDS, signal });
  const end = offset + results.length;
  return {
    results: results.map((row, at) => resultView(row, offset + at)),
    matching: total,
    next_offset: results.length === limit && end < (total ?? Number.POSITIVE_INFINITY) ? end : null,
  };
}
