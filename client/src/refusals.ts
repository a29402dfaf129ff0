// From an answer with status 400 or above to its error. The service names each refusal by a code in MXProof-Error; an answer
// without one comes from something in front of it, or from a service before 0.2, and means what its status means.
// Promise: nothing here reads a sentence, and a code that is not known yet still gives its status's class.
import type { ErrorCode as AdminErrorCode } from './admin/admin-types.ts';
import type { ErrorCode } from './api-types.ts';
import {
  Conflict,
  Forbidden,
  IdempotencyKeyReused,
  InsufficientCredits,
  InvalidApiKey,
  InvalidRequest,
  ListNotFound,
  NotFound,
  RateLimited,
  Refusal,
  type Refused,
  ServiceUnavailable,
} from './errors.ts';

/** What a status means by itself. */
export const STATUSES = {
  400: 'invalid_request',
  401: 'invalid_api_key',
  402: 'insufficient_credits',
  403: 'forbidden',
  404: 'not_found',
  408: 'timed_out',
  409: 'conflict',
  413: 'too_large',
  415: 'encoded_body',
  422: 'idempotency_key_reused',
  429: 'rate_limited',
  431: 'headers_too_large',
  500: 'internal_error',
  503: 'unavailable',
} as const satisfies Record<number, string>;

/** A code of the service, or what its status means where it sent none. A later service may send codes that are not listed. */
export type RefusalKind = ErrorCode | AdminErrorCode | (typeof STATUSES)[keyof typeof STATUSES] | 'other';

/** The service's own are a few hundred bytes. */
const MAX_BODY_CHARACTERS = 64 * 1024;
const MAX_MESSAGE_CHARACTERS = 1_000;

/** @param body the answer's text: JSON if the service itself spoke, anything if something in front of it did */
export function refusalOf(status: number, headers: Headers, text: string, nowMs: number): Refusal {
  const body = parsed(text);
  const error =
    typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
      ? body.error.slice(0, MAX_MESSAGE_CHARACTERS)
      : '';
  const detail = headers.get('mxproof-error-detail');
  const refused: Refused = {
    kind: (headers.get('mxproof-error') as ErrorCode | null) || ofStatus(status),
    status,
    requestId: headers.get('x-request-id'),
    body,
    message: sentence(error === '' ? `The service answered ${status} without saying why.` : error, detail),
    detail,
    retryAfter: retryAfterSeconds(headers.get('retry-after'), nowMs),
  };
  return classed(refused, headers);
}

/** The service refuses now what an attempt in doubt may have done. */
export function isDoneBefore(error: unknown, kind: RefusalKind): boolean {
  return error instanceof Refusal && error.inDoubt && error.kind === kind;
}

/** Where an error is not caught, its message alone is shown. */
function sentence(error: string, detail: string | null): string {
  return detail === null ? error : `${error} (${detail.slice(0, MAX_MESSAGE_CHARACTERS)})`;
}

function ofStatus(status: number): RefusalKind {
  return (STATUSES as Record<number, RefusalKind>)[status] ?? 'other';
}

function classed(refused: Refused, headers: Headers): Refusal {
  const { status, kind } = refused;
  if (kind === 'list_not_found') return new ListNotFound(refused);
  if (status === 401) return new InvalidApiKey(refused);
  if (status === 402)
    return new InsufficientCredits(refused, Number(headers.get('mxproof-credits-needed') ?? Number.NaN));
  if (status === 403) return new Forbidden(refused);
  if (status === 404) return new NotFound(refused);
  if (status === 409) return new Conflict(refused);
  if (status === 422) return new IdempotencyKeyReused(refused);
  if (status === 429) return new RateLimited(refused);
  if (status === 408 || status >= 500) return new ServiceUnavailable(refused);
  if (status in STATUSES) return new InvalidRequest(refused);
  return new Refusal(refused);
}

function parsed(text: string): unknown {
  try {
    return text.length > MAX_BODY_CHARACTERS ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Both forms HTTP has: seconds, or a date. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}
