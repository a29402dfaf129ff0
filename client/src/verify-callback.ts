// A list's callback, and whether it is the service's own.
import type { ListDone } from './api-types.ts';
import { CallbackRejected } from './errors.ts';
import {
  type CallbackHeaders,
  parsed,
  type RawBody,
  type Secrets,
  type VerifyCallbackOptions,
  verifySigned,
} from './signed-body.ts';

export interface VerifiedCallback {
  readonly body: ListDone;
  /** `webhook-id`: the same in every attempt, so remember it to handle a callback once. Null if it is not signed. */
  readonly id: string | null;
}

/**
 * @param rawBody the bytes as they came, before anything parsed them
 * @param secret `whsec_…`, or several while the secret is being changed
 * @throws CallbackRejected: answer its `status`
 */
export async function verifyCallback(
  rawBody: RawBody,
  headers: CallbackHeaders,
  secret: Secrets,
  options: VerifyCallbackOptions = {},
): Promise<VerifiedCallback> {
  const { bytes, id } = await verifySigned(rawBody, headers, secret, options);
  const event = parsed(bytes) as Partial<ListDone> | null | undefined;
  // Another event, of a later service, is for the caller to leave alone.
  const isEvent =
    typeof event?.event === 'string' && (event.event !== 'list.done' || typeof event.list?.id === 'number');
  if (!isEvent)
    throw new CallbackRejected('not_a_callback', 'The body is signed but is not a callback of the service.');
  return { body: event as ListDone, id };
}
