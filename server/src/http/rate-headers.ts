// `RateLimit-Policy` and `RateLimit` (IETF draft-ietf-httpapi-ratelimit-headers-10), as structured fields.
import { WINDOW_MS } from '../rules/rate-window.ts';
import type { Caller, Limits, WindowState } from './admit.ts';

const WINDOW_SECONDS = WINDOW_MS / 1000;

/** `addresses`: where there is such a window. */
type Limited = Pick<Caller, 'windows'> & { readonly limits: Pick<Limits, 'requests'> & Partial<Limits> };

export function rateHeaders({ limits, windows }: Limited): Record<string, string> {
  const policy = Object.entries(limits).map(([kind, limit]) => `"${kind}";q=${limit};w=${WINDOW_SECONDS}`);
  const now = [limit('requests', windows.requests)];
  if (windows.addresses) now.push(limit('addresses', windows.addresses));
  return { 'ratelimit-policy': policy.join(', '), ratelimit: now.join(', ') };
}

/** `t`: seconds until the window gives something back. */
function limit(kind: string, { remaining, resetMs }: WindowState): string {
  return `"${kind}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
}
