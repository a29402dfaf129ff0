// Asks a host that the operator has named, or that one such has named: the provider at which people sign in. As callbacks are posted,
// with the same time and bounds; private addresses are allowed, as for the mail relay. A redirect is an answer like any other.
import { type PostOptions, post } from './post.ts';

/** Of an answer; what is longer is cut. The keys of a large provider are a fifth of it. */
const MAX_BYTES = 64 * 1024;

export interface NamedRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body: string;
  /** http as well. */
  readonly allowsPlain: boolean;
}

/** `error`: a code or a class of why there was no answer. */
export type NamedAnswer =
  | { readonly status: number; readonly type: string | null; readonly body: Buffer }
  | { readonly error: string };

export type FetchNamed = (url: string, request: NamedRequest) => Promise<NamedAnswer>;

export async function fetchNamed(
  url: string,
  { headers, body, ...how }: NamedRequest,
  options: Pick<PostOptions, 'dnsServers' | 'watchdog' | 'limitMs' | 'ca'>,
): Promise<NamedAnswer> {
  const message = { headers, body: Buffer.from(body) };
  const all = { ...options, ...how, ports: null, isAllowed: () => true, keepBytes: MAX_BYTES };
  const answer = await post(url, message, all);
  if (answer === null || answer === 'later') return { error: 'busy' };
  if (answer.status === null) return { error: answer.error ?? 'failed' };
  return { status: answer.status, type: answer.type ?? null, body: answer.answer ?? Buffer.alloc(0) };
}
