// Whether a refusal may be otherwise later. Pure. Promise: 4xx, and whatever says "too fast" or "greylisted" with any code;
// not a lapsed tenant, which Microsoft defers for weeks.
import type { Reply, ReplyReading } from '../types.ts';

export function isTemporary(
  { meaning }: Pick<ReplyReading, 'meaning'>,
  { code }: Pick<Reply, 'code'>,
): boolean {
  if (meaning === 'tenant_lapsed') return false;
  return meaning === 'rate_limited' || meaning === 'greylisted' || (code >= 400 && code < 500);
}
