// Whether a refusal is about us. Pure. Promise: a recipient's own policy, which refuses every sender like us, is not.
import type { ReplyReading } from '../types.ts';

export function blocksUs({ meaning, detail }: Pick<ReplyReading, 'meaning' | 'detail'>): boolean {
  return meaning === 'blocked' && detail === 'blocked';
}
