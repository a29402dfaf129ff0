// Addresses that were erased, as they are known afterwards: a keyed hash, whose lists, and when. One a line in the file
// `erasures`. Promise: a line that was not written here is told from one that was.
//
//   2026-11-17T21:04:05.678Z  9f86d081884c7d65  *  5891b5b5…      the time, the key's id, the account (*: all), the hash
import { createHmac, type KeyObject } from 'node:crypto';
import { canonicalEmail } from './erased-text.ts';

export interface KnownErasure {
  readonly askedAt: Date;
  readonly keyId: string;
  /** Null: everyone's. */
  readonly accountId: number | null;
  /** In hex. */
  readonly hash: string;
}

/** `email` in its canonical spelling (rules/erased-text.ts). A key in bytes would be made into an object for each hash, which costs six times the hash. */
export function erasedHash(key: KeyObject, email: string): string {
  return createHmac('sha256', key).update(email).digest('hex');
}

/** The same of a clean address in any spelling: how its results and outcomes are found. */
export function addressHash(key: KeyObject, email: string): Buffer {
  return createHmac('sha256', key).update(canonicalEmail(email)).digest();
}

export function erasureLine({ askedAt, keyId, accountId, hash }: KnownErasure): string {
  return `${askedAt.toISOString()} ${keyId} ${accountId ?? '*'} ${hash}`;
}

const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{16}) (\*|[1-9]\d{0,15}) ([0-9a-f]{64})$/;

/** Null: it is none. */
export function readErasureLine(line: string): KnownErasure | null {
  const [, at, keyId, account, hash] = LINE.exec(line) ?? [];
  if (at === undefined || Number.isNaN(Date.parse(at))) return null;
  return {
    askedAt: new Date(at),
    keyId: keyId!,
    accountId: account === '*' ? null : Number(account),
    hash: hash!,
  };
}
