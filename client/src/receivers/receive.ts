// What every receiver does with a callback, whatever the framework.
// Promise: the handler runs only for a callback that is the service's own; if it throws, so does the receiver, and the
// framework's 500 makes the service send the callback again.
import type { ListSummary } from '../api-types.ts';
import { CallbackRejected } from '../errors.ts';
import {
  type CallbackHeaders,
  type VerifiedCallback,
  type VerifyCallbackOptions,
  verifyCallback,
} from '../verify-callback.ts';

export interface ReceiverOptions extends Omit<VerifyCallbackOptions, 'now'> {
  /** `whsec_…`, or several while the secret is being changed. Undefined, as a variable may be, is a TypeError at once. */
  readonly secret: string | readonly string[] | undefined;
  /**
   * Called with the finished list. It is waited for before the service gets its 204, and the service waits 10 seconds:
   * put longer work into a queue. The same callback can come again; remember `callback.id`, or `list.id`.
   */
  readonly onListDone: (list: ListSummary, callback: VerifiedCallback) => unknown;
}

export interface ReceiverResponse {
  readonly status: 204 | 400 | 401 | 413;
  /** One sentence for the log; empty with 204. */
  readonly text: string;
}

export async function receive(
  rawBody: Uint8Array | string,
  headers: CallbackHeaders,
  { secret, onListDone, ...options }: ReceiverOptions,
): Promise<ReceiverResponse> {
  let callback: VerifiedCallback;
  try {
    callback = await verifyCallback(rawBody, headers, secret, options);
  } catch (error) {
    if (error instanceof CallbackRejected) return { status: error.status, text: error.message };
    throw error;
  }
  if (callback.body.event === 'list.done') await onListDone(callback.body.list, callback);
  return { status: 204, text: '' };
}

/** @returns null when there is more than a callback can have */
export async function readBounded(
  pieces: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    const chunk = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    held.push(chunk);
  }
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of held) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

export const TOO_LARGE: ReceiverResponse = { status: 413, text: 'The body is larger than a callback.' };
