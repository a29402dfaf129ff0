// What keys may do, and which of them a route answers. Promise: a route says it in its declaration, or the service does not
// start (http/check-access.ts).

export const KEY_ACCESS = ['full', 'read', 'verify'] as const;
export type KeyAccess = (typeof KEY_ACCESS)[number];

/** Only what a form on a web page, or what stands behind it, needs. */
export const EVERY_KEY: readonly KeyAccess[] = [...KEY_ACCESS];
/** What changes nothing and costs nothing. */
export const READING_KEYS: readonly KeyAccess[] = ['full', 'read'];
export const CHECKING_KEYS: readonly KeyAccess[] = ['full', 'verify'];
export const FULL_KEYS: readonly KeyAccess[] = ['full'];
