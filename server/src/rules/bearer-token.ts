// What a sign-in link or a session holds, and what is stored of it. Randomness is an argument.
import { hash } from 'node:crypto';

export const TOKEN_RANDOM_BYTES = 32;
export const SESSION_RANDOM_BYTES = 2 * TOKEN_RANDOM_BYTES;
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

/** The token is for the cookie, the proof for the page's storage. They have one hash: neither is worth anything alone. */
export function makeSession(random: Buffer): { token: string; proof: string; hash: Buffer } {
  const [token, proof] = [random.subarray(0, TOKEN_RANDOM_BYTES), random.subarray(TOKEN_RANDOM_BYTES)].map(
    (half) => half.toString('base64url'),
  ) as [string, string];
  return { token, proof, hash: hashToken(`${token}.${proof}`) };
}

/** Their hash; null: they could be no session's. */
export function readSession(token: string, proof: string): Buffer | null {
  return TOKEN_SHAPE.test(token) && TOKEN_SHAPE.test(proof) ? hashToken(`${token}.${proof}`) : null;
}

// 256 random bits need no slow hash: there is nothing to guess.
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
