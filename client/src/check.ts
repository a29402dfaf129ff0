// A single check: sent once, read as often as it takes.
// Promise: the address is never posted a second time; a 202 is followed by reading the list it names.
import type { CheckedAddress, Pending, VerifyAddressBody, VerifyAddressQuery } from './api-types.ts';
import { DeadlineExceeded, Forbidden, ListFailed, UnexpectedAnswer } from './errors.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { readPage } from './read-results.ts';
import { within } from './transport/abort.ts';
import { queryText } from './transport/query-text.ts';
import type { PostOptions, Transport } from './transport/transport.ts';
import { askUntilThere, byAsking } from './wait-for-list.ts';

/** A field that an answer has only if it is asked for. */
export type Include = NonNullable<VerifyAddressQuery['include']>[number];

export interface CheckOptions {
  /** Fields to add to the result: one, or several. */
  readonly include?: Include | readonly Include[];
}

export interface VerifyOptions extends PostOptions, CheckOptions {
  /**
   * True, the default: until there is a result, within `deadlineMs`. A number: the service waits so many whole seconds for the
   * mail server (20 at most, unless its operator allows more), and the call resolves to a `Check`, whose `answer` is the result
   * if it came by then. False is 0.
   */
  readonly wait?: boolean | number;
}

export interface ResultOptions {
  readonly signal?: AbortSignal;
  /** Ends the wait with `DeadlineExceeded`, not the check. Default: none. */
  readonly deadlineMs?: number;
}

/** A check that the service has begun and charged. */
export interface Check {
  /** A single check is a list of one: its results and evidence are read by this id. */
  readonly listId: number;
  /** The result, if it came within the wait; null: the check goes on. */
  readonly answer: CheckedAddress | null;
  /** The result, waited for. Ask as often as you like: it is read, never checked again. */
  result(options?: ResultOptions): Promise<CheckedAddress>;
}

/** The longest wait that an operator can allow. */
const MAX_WAIT_SECONDS = 300;

/** Sent and waited for, within one deadline. */
export async function verify(
  transport: Transport,
  email: string,
  options: VerifyOptions,
): Promise<CheckedAddress> {
  const { signal, deadlineMs = transport.deadlineMs } = options;
  const sinceMs = performance.now();
  const check = await beginCheck(transport, email, options);
  const leftMs = Math.max(0, deadlineMs - (performance.now() - sinceMs));
  return check.answer ?? check.result({ ...(signal && { signal }), deadlineMs: leftMs });
}

export async function beginCheck(
  transport: Transport,
  email: string,
  options: VerifyOptions,
): Promise<Check> {
  const { include } = options;
  const { body, headers, status } = await transport.call<CheckedAddress | Pending>(
    {
      method: 'POST',
      path: '/verify',
      query: { include },
      body: { email } satisfies VerifyAddressBody,
      headers: { ...idempotencyKey(options), ...preference(options.wait) },
    },
    options,
  );
  if ('list_id' in body) return checkOf(transport, body.list_id, options);
  const listId = Number(/\/lists\/(\d+)\/results$/.exec(headers.get('content-location') ?? '')?.[1]);
  if (!Number.isSafeInteger(listId))
    throw new UnexpectedAnswer(
      'The answer does not say which list it belongs to.',
      status,
      headers.get('x-request-id'),
    );
  return { listId, answer: body, result: async () => body };
}

function preference(wait: boolean | number = true): Record<string, string> {
  if (wait === true) return {};
  const seconds = Number(wait);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > MAX_WAIT_SECONDS)
    throw new TypeError(`wait is true, false, or a whole number of seconds from 0 to ${MAX_WAIT_SECONDS}.`);
  return { prefer: `wait=${seconds}` };
}

/** Also for a list id that was kept from an earlier `Check`. */
export function checkOf(transport: Transport, listId: number, { include }: CheckOptions = {}): Check {
  const query = include === undefined ? {} : { include };
  const read = async (signal: AbortSignal | undefined): Promise<CheckedAddress> => {
    queryText(query);
    const readRow = async () =>
      (await readPage(transport, listId, { limit: 1, ...(signal && { signal }), ...query })).results[0];
    await byAsking(transport, listId, signal).catch(async (error) => {
      if (!(error instanceof Forbidden && error.kind === 'key_access')) throw error;
      // A key with access `verify` reads the result alone, which says nothing of a check that failed.
      await askUntilThere(async () => ((await readRow())?.state === 'pending' ? null : true), signal);
    });
    const row = await readRow();
    if (row === undefined || row.state === 'pending' || row.reason === '') throw new ListFailed(listId);
    const { state, reason, provider, ...rest } = row;
    const checked: CheckedAddress = { ...rest, state, reason };
    // One shape of result, however long the check took.
    return [include].flat().includes('provider') ? { ...checked, provider } : checked;
  };
  const late = () =>
    new DeadlineExceeded(`No result in time: the check goes on, and list ${listId} will have it.`, {
      listId,
    });
  return {
    listId,
    answer: null,
    result: ({ signal, deadlineMs } = {}) =>
      deadlineMs === undefined ? read(signal) : within(deadlineMs, late, signal, read),
  };
}
