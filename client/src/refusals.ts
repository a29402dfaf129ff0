// From an answer with status 400 or above to its error. The wire tells refusals apart by status and, within a status,
// by the exact text of `error`; this is the only file that reads that text.
// Promise: a text that is not in the table still gives its status's class. A test holds the table against openapi.json.
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

/** Texts that mean more than their status does. */
export const TEXTS = {
  400: {
    'allowed_ips must be 1 to 100 IP addresses or CIDR ranges': 'bad_allowed_ips',
  },
  403: {
    'key may not manage keys': 'may_not_manage',
    'a test key manages test keys only': 'test_keys_only',
    'only a test key can listen to callbacks': 'only_test_keys',
    "request must come from the service's own page": 'foreign_page',
  },
  404: {
    'list not found': 'list_not_found',
    'group not found': 'group_not_found',
    'no such position': 'no_such_position',
    'evidence expired': 'evidence_expired',
    'no callback': 'no_callback',
    'key not found': 'key_not_found',
  },
  409: {
    'not checked yet': 'not_checked_yet',
    'list is not finished': 'list_unfinished',
    'list is finished': 'list_finished',
    'nothing to retry': 'nothing_to_retry',
    'max 1000 lists per group': 'group_full',
    'callback is pending': 'callback_pending',
    'a key cannot delete itself': 'own_key',
    'max 1000 keys per account': 'too_many_keys',
  },
} as const satisfies Record<number, Record<string, string>>;

/** What a status means by itself. */
const STATUSES = {
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

type Texts = typeof TEXTS;
type OfText = { [Status in keyof Texts]: Texts[Status][keyof Texts[Status]] }[keyof Texts];
export type RefusalKind = OfText | (typeof STATUSES)[keyof typeof STATUSES] | 'other';

const NEEDED = /^insufficient credits: (\d+) needed$/;

export function kindOf(status: number, text: string): RefusalKind {
  const ofText = (TEXTS as Record<number, Record<string, RefusalKind>>)[status];
  if (ofText !== undefined && Object.hasOwn(ofText, text)) return ofText[text]!;
  return (STATUSES as Record<number, RefusalKind>)[status] ?? 'other';
}

/** @param body the answer's text: JSON if the service itself spoke, anything if something in front of it did */
export function refusalOf(status: number, headers: Headers, text: string, nowMs: number): Refusal {
  const body = parsed(text);
  const error =
    typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
      ? body.error
      : '';
  const refused: Refused = {
    kind: kindOf(status, error),
    status,
    requestId: headers.get('x-request-id'),
    body,
    message: error === '' ? `The service answered ${status} without saying why.` : error,
    retryAfter: retryAfterSeconds(headers.get('retry-after'), nowMs),
  };
  return classed(refused, error);
}

function classed(refused: Refused, error: string): Refusal {
  const { status, kind } = refused;
  if (kind === 'list_not_found') return new ListNotFound(refused);
  if (status === 401) return new InvalidApiKey(refused);
  if (status === 402) return new InsufficientCredits(refused, Number(NEEDED.exec(error)?.[1] ?? Number.NaN));
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
    return JSON.parse(text);
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
