// Gets what a sending service's signatures need from its own hosts, such as a certificate: as callbacks are posted, with the same
// guard, time and bounds; a redirect is an answer like any other.
import { type PostOptions, post } from './post.ts';

const MAX_BYTES = 16 * 1024;

/** Null: there was no answer. Of a long one it is the beginning. */
export type FetchPublic = (url: string) => Promise<{ readonly status: number; readonly body: Buffer } | null>;

/** Always from port 443: `ports` are those of callbacks, whose URLs accounts choose. */
export async function fetchPublic(url: string, options: PostOptions): ReturnType<FetchPublic> {
  const message = { headers: { accept: '*/*' }, body: Buffer.alloc(0) };
  const get = { ...options, method: 'GET', ports: null, keepBytes: MAX_BYTES } as const;
  const answer = await post(url, message, get);
  if (answer === null || answer === 'later' || answer.status === null) return null;
  return { status: answer.status, body: answer.answer ?? Buffer.alloc(0) };
}
