// What the routes of /admin/v1 have in common in their document.
import type { TObject } from 'typebox';
import type { ErrorCode } from '../../http/errors.ts';
import { describeRefusals, openResponse, RATE_HEADERS, READ_BODY, WARNING } from '../../http/route-parts.ts';
import { REPLAYED } from '../../http/wire/idempotency-key.ts';

const EVERYWHERE: readonly ErrorCode[] = [
  'invalid_admin_key',
  'foreign_page',
  'rate_limited',
  'unknown_parameter',
  'internal_error',
  'unavailable',
];

export function adminResponse(description: string, schema: object, headers = {}): object {
  return openResponse(description, schema, { ...RATE_HEADERS, ...WARNING, ...headers });
}

/** Of a POST, whose answer may be a remembered one. */
export function onceResponse(description: string, schema: object): object {
  return adminResponse(description, schema, REPLAYED);
}

/** Of a route that only reads. */
export function readRefusals(...own: ErrorCode[]): Record<number, object> {
  return describeRefusals([...own, ...EVERYWHERE], RATE_HEADERS);
}

/** Of one that changes something. */
export function changeRefusals(...own: ErrorCode[]): Record<number, object> {
  return readRefusals('admin_scope', ...own);
}

/** Of a POST or PATCH, which may have a body. */
export function bodyRefusals(...own: ErrorCode[]): Record<number, object> {
  return changeRefusals(...own, ...READ_BODY, 'unknown_field');
}

/** Of a POST. */
export function onceRefusals(...own: ErrorCode[]): Record<number, object> {
  return bodyRefusals(...own, 'bad_idempotency_key', 'idempotency_key_reused');
}

export const ONCE_HEADERS = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[!-~]([ -~]*[!-~])?$',
      description:
        'Repeating a request with the same key and body within 24 hours returns the first answer, and changes nothing again.',
    },
  },
} as const;

const idParam = (what: string) =>
  ({
    type: 'object',
    properties: { id: { type: 'integer', minimum: 1, description: what } },
  }) as const;

export const ACCOUNT_ID = idParam('Account identifier.');
export const LIST_ID = idParam('List identifier.');

export type OneOf = { Params: { id: string } };

/** As swagger wants parameters of a query. */
export const queryOf = (properties: TObject['properties']) => ({ type: 'object', properties }) as const;
