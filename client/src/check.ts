// A single check: sent once, read as often as it takes.
// Promise: the address is never posted a second time; a 202 is followed by reading the list it names.
import type { CheckedAddress, Pending, VerifyAddressBody, VerifyAddressQuery } from './api-types.ts';
import { ListFailed, UnexpectedAnswer } from './errors.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { readPage } from './read-results.ts';
import type { PostOptions, Transport } from './transport/transport.ts';
import { byAsking } from './wait-for-list.ts';

/** A field that an answer has only if it is asked for. */
export type Include = NonNullable<VerifyAddressQuery['include']>[number];

export interface CheckOptions {
  /** Fields to add to the result: one, or several. */
  readonly include?: Include | readonly Include[];
}

export interface VerifyOptions extends PostOptions, CheckOptions {
  /** False: do not wait for the mail server; resolves to a `Check` whose result can be awaited later. */
  readonly wait?: boolean;
}

/** A check that the service has begun and charged. */
export interface Check {
  /** A single check is a list of one: its results and evidence are read by this id. */
  readonly listId: number;
  /** The result, waited for. Ask as often as you like: it is read, never checked again. */
  result(options?: { readonly signal?: AbortSignal }): Promise<CheckedAddress>;
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
      headers: { ...idempotencyKey(options), ...(options.wait === false && { prefer: 'wait=0' }) },
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
  return { listId, result: async () => body };
}

/** Also for a list id that was kept from an earlier `Check`. */
export function checkOf(transport: Transport, listId: number, { include }: CheckOptions = {}): Check {
  return {
    listId,
    async result({ signal } = {}) {
      await byAsking(transport, listId, signal);
      const { results } = await readPage(transport, listId, {
        limit: 1,
        ...(signal && { signal }),
        ...(include && { include }),
      });
      const [row] = results;
      if (row === undefined || row.state === 'pending' || row.reason === '') throw new ListFailed(listId);
      const { state, reason, provider, ...rest } = row;
      const checked: CheckedAddress = { ...rest, state, reason };
      // One shape of result, however long the check took.
      return [include].flat().includes('provider') ? { ...checked, provider } : checked;
    },
  };
}
