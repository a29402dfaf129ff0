// The format of an API key, and what is stored of it. Randomness is an argument.
import { hash, timingSafeEqual } from 'node:crypto';

export const KEY_RANDOM_BYTES = 32;
const KEY_SHAPE = /^mx_(?:live|test)_[A-Za-z0-9_-]{43}$/;
export const KEY_CHARACTERS = 'mx_live_'.length + 43;
const PREFIX_LENGTH = 'mx_live_'.length + 8;
const ADMIN_KEY_SHAPE = /^mx_admin_[A-Za-z0-9_-]{43}$/;
const ADMIN_PREFIX_LENGTH = 'mx_admin_'.length + 8;

export interface NewKey {
  /** Shown once, never stored. */
  readonly key: string;
  readonly prefix: string;
  readonly hash: Buffer;
}

export function makeKey(random: Buffer, test: boolean): NewKey {
  const key = `mx_${test ? 'test' : 'live'}_${random.toString('base64url')}`;
  return { key, prefix: key.slice(0, PREFIX_LENGTH), hash: hashKey(key) };
}

/** Null: nothing that could be a key, so nothing to look up. */
export function readKey(text: string): { prefix: string; hash: Buffer } | null {
  if (!KEY_SHAPE.test(text)) return null;
  return { prefix: text.slice(0, PREFIX_LENGTH), hash: hashKey(text) };
}

/** An operator's. */
export function makeAdminKey(random: Buffer): NewKey {
  const key = `mx_admin_${random.toString('base64url')}`;
  return { key, prefix: key.slice(0, ADMIN_PREFIX_LENGTH), hash: hashKey(key) };
}

/** Null: nothing that could be an operator's key. */
export function readAdminKey(text: string): Buffer | null {
  return ADMIN_KEY_SHAPE.test(text) ? hashKey(text) : null;
}

export function sameHash(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

// 256 random bits need no slow hash: there is nothing to guess.
function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
