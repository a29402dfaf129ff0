// Whether a request comes from a page of this very service. Browsers state `Origin` and `Sec-Fetch-Site` themselves;
// no page can forge them, nor send `X-MXProof-Console` to another origin, since nothing here answers CORS.
import type { FastifyRequest } from 'fastify';

export const CONSOLE_HEADER = 'x-mxproof-console';
const HOST_SHAPE = /^[\w.:[\]-]+$/;

/** `host` and `protocol` as the proxy says, where it is trusted. Behind https no plain page is the same. */
export function isSameOrigin({ headers, host, protocol }: FastifyRequest): boolean {
  const page = URL.parse(headers.origin ?? '');
  if (page === null || page.origin !== headers.origin || !HOST_SHAPE.test(host)) return false;
  if (protocol === 'https' && page.protocol !== 'https:') return false;
  // By the page's scheme: it decides which port need not be named.
  return URL.parse(`${page.protocol}//${host}`)?.host === page.host;
}

/** Not to be served to the bearer of a cookie. */
export function isForeign(request: FastifyRequest): boolean {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return headers[CONSOLE_HEADER] !== '1' || !isSameOrigin(request);
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  return (
    (site !== 'same-origin' && site !== 'none') || (headers.origin !== undefined && !isSameOrigin(request))
  );
}

/** Why it is foreign, for people. */
export function foreignness(request: FastifyRequest): string {
  if (request.headers.origin !== undefined && !isSameOrigin(request))
    return 'Origin is not the address that the service is asked at: behind a proxy, set MXPROOF_TRUST_PROXY';
  if (request.headers[CONSOLE_HEADER] !== '1')
    return `with a session, what changes something needs ${CONSOLE_HEADER}: 1 beside it; programs use a key`;
  return 'Origin is missing, or another page asks; programs use a key';
}
