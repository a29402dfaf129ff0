// An Idempotency-Key that no other request has.
const KEY_BYTES = 16;

/** Not randomUUID, which pages without https do not have. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
