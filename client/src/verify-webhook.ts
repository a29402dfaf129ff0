// An event for an endpoint of the account, and whether it is the service's own.
import type { ListSummary } from './api-types.ts';
import { CallbackRejected } from './errors.ts';
import {
  type CallbackHeaders,
  parsed,
  type RawBody,
  type Secrets,
  type VerifyCallbackOptions,
  verifySigned,
} from './signed-body.ts';

interface EventOf<Type extends string, Data> {
  readonly type: Type;
  /** When it happened, in ISO 8601. */
  readonly timestamp: string;
  readonly data: Data;
}

/** Told apart by `type`. A later service may have types that are not listed: leave them alone. */
export type WebhookEvent =
  | EventOf<'list.done', ListSummary>
  /** Cancelled ones too. */
  | EventOf<'list.failed', ListSummary>
  | EventOf<'list.paused', ListSummary>
  | EventOf<'credits.low', { readonly credits: number; readonly low_credits: number }>
  /** Asked for by `webhooks.test`. */
  | EventOf<'test', Readonly<Record<string, never>>>;

export interface VerifiedWebhook {
  readonly event: WebhookEvent;
  /** `webhook-id`: the same in every attempt, so remember it to handle an event once. Null if it is not signed. */
  readonly id: string | null;
}

/**
 * @param rawBody the bytes as they came, before anything parsed them
 * @param secret the endpoint's own, `whsec_…`, or several while it is being changed
 * @throws CallbackRejected: answer its `status`
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: CallbackHeaders,
  secret: Secrets,
  options: VerifyCallbackOptions = {},
): Promise<VerifiedWebhook> {
  const { bytes, id } = await verifySigned(rawBody, headers, secret, options);
  const event = parsed(bytes);
  if (!isEvent(event))
    throw new CallbackRejected('not_a_callback', 'The body is signed but is not an event of the service.');
  return { event, id };
}

function isEvent(value: unknown): value is WebhookEvent {
  const event = value as Partial<WebhookEvent> | null | undefined;
  const data = event?.data as Readonly<Record<string, unknown>> | null | undefined;
  if (typeof event?.type !== 'string' || typeof event.timestamp !== 'string') return false;
  if (typeof data !== 'object' || data === null) return false;
  if (event.type === 'credits.low')
    return typeof data.credits === 'number' && typeof data.low_credits === 'number';
  return !event.type.startsWith('list.') || typeof data.id === 'number';
}
