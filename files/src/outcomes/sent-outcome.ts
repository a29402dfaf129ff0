// An outcome as POST /v1/outcomes takes it, with a name for its event.
// Promise: the same event has the same name whenever, and by whatever program, its file is read.

import { sha256 } from '@noble/hashes/sha2.js';
import type { Outcome, OutcomeWord } from './outcome.ts';

export interface SentOutcome {
  readonly email: string;
  readonly outcome: OutcomeWord;
  readonly id: string;
  readonly reply?: string;
  readonly at?: number;
}

export function sentOutcome({ email, outcome, reply, at, id, origin }: Outcome): SentOutcome {
  return {
    ...{ email, outcome, id: id === '' ? `import-${hashOf([origin, email, outcome, reply])}` : id },
    ...(reply !== '' && { reply }),
    ...(at !== null && { at }),
  };
}

/** 192 bits of SHA-256, in base64url. */
function hashOf(parts: readonly string[]): string {
  const bytes = sha256(new TextEncoder().encode(JSON.stringify(parts))).subarray(0, 24);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
