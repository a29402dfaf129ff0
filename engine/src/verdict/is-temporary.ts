// Whether a refusal may be otherwise later. Pure. Promise: 4xx, and whatever says "too fast" or "greylisted" with any code.
import type { Reply, ReplyReading } from '../types.ts';

export function isTemporary(
  { meaning }: Pick<ReplyReading, 'meaning'>,
  { code }: Pick<Reply, 'code'>,
): boolean {
  return meaning === 'rate_limited' || meaning === 'greylisted' || (code >= 400 && code < 500);
}
