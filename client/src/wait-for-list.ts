// Waits for a list's end: by the service's events while they flow, else by asking.
//
//   events ──cut or silent──▶ events again, from the last id ──three short-lived in a row──▶ asking
//     │                                                                                        │
//     └─ no such route, too many streams, a proxy's answer ─────────────────────────────────▶──┘
//
// Promise: what is reported never goes back, and the end is reported once, whichever way it was learned.
import type { ListSummary } from './api-types.ts';
import {
  ConnectionFailed,
  DeadlineExceeded,
  InvalidApiKey,
  ListNotFound,
  MXProofError,
  RateLimited,
  ServiceUnavailable,
} from './errors.ts';
import { pathId } from './path-id.ts';
import { LIST, shaped } from './shapes.ts';
import { sleep } from './transport/abort.ts';
import { backoffMs } from './transport/backoff.ts';
import { openEvents } from './transport/open-events.ts';
import type { Query } from './transport/query-text.ts';
import type { CallOptions, Transport } from './transport/transport.ts';

export interface WaitOptions {
  /** Ends the wait, not the list. */
  readonly signal?: AbortSignal;
  /** Called with the list as it is, whenever more of it is checked. */
  readonly onProgress?: (list: ListSummary) => void;
  /** False: ask every few seconds instead of holding a stream open. */
  readonly events?: boolean;
}

/** Asked often at first, for lists of a few addresses, then as the API recommends. */
const FIRST_POLL_MS = 500;
const LONGEST_POLL_MS = 5_000;
const POLL_GROWTH = 1.5;
/** A list takes hours; a restart of the service in the middle of them must not end the wait. */
const LONGEST_OUTAGE_MS = 600_000;

/** A stream that lived this long was a good one; this many in a row that did not, and we ask instead. */
const GOOD_STREAM_MS = 10_000;
const SHORT_STREAMS = 3;

export async function waitForList(
  transport: Transport,
  id: number,
  options: WaitOptions,
): Promise<ListSummary> {
  let wasThere = false;
  const onProgress = reporter(options.onProgress);
  const report = (list: ListSummary) => {
    wasThere = true;
    onProgress(list);
  };
  const ended = options.events === false ? null : await byEvents(transport, id, options.signal, report);
  return ended ?? (await byAsking(transport, id, options.signal, report, wasThere));
}

export async function getList(
  transport: Transport,
  id: number,
  options: CallOptions,
  query: Query = {},
): Promise<ListSummary> {
  const call = { method: 'GET', path: `/lists/${listId(id)}`, query } as const;
  return theList(id, (await transport.call(call, options)).body);
}

/** The one that was asked for. */
function theList(id: number, body: unknown): ListSummary {
  return shaped<ListSummary>(body, { ...LIST, id: (value) => value === id }, 'this list');
}

export function listId(id: number): number {
  return pathId('A list id', id);
}

function isFinished(list: ListSummary): boolean {
  return list.status === 'done' || list.status === 'failed';
}

/** @returns null when events do not come through */
async function byEvents(
  transport: Transport,
  id: number,
  signal: AbortSignal | undefined,
  report: (list: ListSummary) => void,
): Promise<ListSummary | null> {
  let lastId = '';
  for (let short = 0; short < SHORT_STREAMS; ) {
    const sinceMs = performance.now();
    try {
      const headers: Record<string, string> = lastId === '' ? {} : { 'last-event-id': lastId };
      const call = { method: 'GET', path: `/lists/${listId(id)}/events`, headers } as const;
      for await (const { event, data, id: eventId } of openEvents(transport, call, signal)) {
        if (event !== 'progress' && event !== 'done' && event !== 'failed') continue;
        const list = theList(id, JSON.parse(data));
        lastId = eventId;
        report(list);
        if (event !== 'progress') return list;
      }
    } catch (error) {
      if (signal?.aborted) throw error;
      if (error instanceof ListNotFound || error instanceof InvalidApiKey) throw error;
      // Any other obstacle to a stream need not be one to polling.
      if (error instanceof MXProofError && !(error instanceof ConnectionFailed)) return null;
      if (!(error instanceof ConnectionFailed || error instanceof SyntaxError)) throw error;
    }
    short = performance.now() - sinceMs < GOOD_STREAM_MS ? short + 1 : 0;
    await sleep(backoffMs(short, Math.random), signal);
  }
  return null;
}

/** @param wasThere the service has answered before: an outage is waited out, instead of being thrown at once */
export async function byAsking(
  transport: Transport,
  id: number,
  signal: AbortSignal | undefined,
  report: (list: ListSummary) => void = () => {},
  wasThere = true,
): Promise<ListSummary> {
  const ask = async () => {
    const list = await getList(transport, id, { ...(signal && { signal }) });
    report(list);
    return isFinished(list) ? list : null;
  };
  return askUntilThere(ask, signal, wasThere);
}

/** @param ask null: not yet */
export async function askUntilThere<Answer>(
  ask: () => Promise<Answer | null>,
  signal: AbortSignal | undefined,
  wasThere = true,
): Promise<Answer> {
  let answeredMs = wasThere ? performance.now() : Number.NEGATIVE_INFINITY;
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(LONGEST_POLL_MS, waitMs * POLL_GROWTH)) {
    try {
      const answer = await ask();
      if (answer !== null) return answer;
      answeredMs = performance.now();
    } catch (error) {
      if (!isOutage(error) || performance.now() - answeredMs > LONGEST_OUTAGE_MS) throw error;
    }
    await sleep(waitMs, signal);
  }
}

function isOutage(error: unknown): boolean {
  return [ConnectionFailed, DeadlineExceeded, RateLimited, ServiceUnavailable].some(
    (one) => error instanceof one,
  );
}

function reporter(onProgress: WaitOptions['onProgress']): (list: ListSummary) => void {
  let seen = -1;
  let ended = false;
  return (list) => {
    const isNews = !ended && (list.checked > seen || isFinished(list));
    if (!isNews) return;
    seen = list.checked;
    ended = isFinished(list);
    onProgress?.(list);
  };
}
