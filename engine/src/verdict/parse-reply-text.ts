// One text → Reply, as an operator pastes it.
import type { Reply } from '../types.ts';

export function replyFromText(text: string): Reply {
  return { code: Number.parseInt(text, 10) || 0, enhanced: null, lines: [text] };
}
