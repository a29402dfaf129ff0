// What every receiver does with a callback or an event, whatever the framework.
// Promise: the handler runs only for what is the service's own; if it throws, so does the receiver, and the framework's
// 500 makes the service send it again.
import type { ListSummary } from '../api-types.ts';
import { CallbackRejected } from '../errors.ts';
import {
  type CallbackHeaders,
  MAX_CALLBACK_BYTES,
  requireSecrets,
  type VerifyCallbackOptions,
} from '../signed-body.ts';
import { type VerifiedCallback, verifyCallback } from '../verify-callback.ts';
import { type VerifiedWebhook, verifyWebhook, type WebhookEvent } from '../verify-webhook.ts';

interface SignedOptions extends Omit<VerifyCallbackOptions, 'now'> {
  /** `whsec_…`, or several while the secret is being changed. Undefined, as a variable may be, is a TypeError at once. */
  readonly secret: string | readonly string[] | undefined;
}

export interface ReceiverOptions extends SignedOptions {
  /**
   * Called with the finished list. It is waited for before the service gets its 204, and the service waits 10 seconds:
   * put longer work into a queue. The same callback can come again; remember `callback.id`, or `list.id`.
   */
  readonly onListDone: (list: ListSummary, callback: VerifiedCallback) => unknown;
}

export interface WebhookReceiverOptions extends SignedOptions {
  /**
   * Called with the event. It is waited for before the service gets its 204, and the service waits 10 seconds: put longer
   * work into a queue. The same event can come again; remember `webhook.id`.
   */
  readonly onEvent: (event: WebhookEvent, webhook: VerifiedWebhook) => unknown;
}

interface ReceiverResponse {
  readonly status: 204 | 400 | 401 | 413;
  /** One sentence for the log; empty with 204. */
  readonly text: string;
}

/** Rejects with what the handler threw. */
export type Receive = (rawBody: Uint8Array | string, headers: CallbackHeaders) => Promise<ReceiverResponse>;

export function callbackReceiver({ secret, onListDone, ...options }: ReceiverOptions): Receive {
  requireSecrets(secret);
  return answering(async (rawBody, headers) => {
    const callback = await verifyCallback(rawBody, headers, secret, options);
    return () => callback.body.event === 'list.done' && onListDone(callback.body.list, callback);
  });
}

export function webhookReceiver({ secret, onEvent, ...options }: WebhookReceiverOptions): Receive {
  requireSecrets(secret);
  return answering(async (rawBody, headers) => {
    const webhook = await verifyWebhook(rawBody, headers, secret, options);
    return () => onEvent(webhook.event, webhook);
  });
}

function answering(verify: (...request: Parameters<Receive>) => Promise<() => unknown>): Receive {
  return async (rawBody, headers) => {
    let handle: () => unknown;
    try {
      handle = await verify(rawBody, headers);
    } catch (error) {
      if (error instanceof CallbackRejected) return { status: error.status, text: error.message };
      throw error;
    }
    await handle();
    return { status: 204, text: '' };
  };
}

/** @returns null when there is more than a callback can have */
export async function readBounded(
  pieces: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
): Promise<Uint8Array | null> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    const chunk = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
    bytes += chunk.byteLength;
    if (bytes > MAX_CALLBACK_BYTES) return null;
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
