import { hash, timingSafeEqual } from 'node:crypto';

/** In a time that tells nothing of either, their lengths included. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
