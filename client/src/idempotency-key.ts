// An Idempotency-Key for a POST. Promise: two calls never share one unless their caller says so.
import type { PostOptions } from './transport/transport.ts';

const KEY_BYTES = 16;

export function idempotencyKey(options: PostOptions): { readonly 'idempotency-key': string } {
  const key = options.idempotencyKey ?? newKey();
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new TypeError('An idempotencyKey is 1 to 255 printable ASCII characters.');
  return { 'idempotency-key': key };
}

/** Not randomUUID, which pages without https do not have. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
