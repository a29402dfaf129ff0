// What a session cookie or a sign-in link holds, and what is stored of it. Randomness is an argument.
import { hash } from 'node:crypto';

export const TOKEN_RANDOM_BYTES = 32;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** The token is for its bearer alone; the hash is stored. */
export function makeToken(random: Buffer): { token: string; hash: Buffer } {
  const token = random.toString('base64url');
  return { token, hash: hashToken(token) };
}

/** Its hash; null: nothing that could be a token, so nothing to look up. */
export function readToken(text: string): Buffer | null {
  return TOKEN_SHAPE.test(text) ? hashToken(text) : null;
}

// 256 random bits need no slow hash: there is nothing to guess.
function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
