// What a reply means for the question we asked.
import type { Reply, ReplyReading, Stage } from '../types.ts';

export function readReply(stage: Stage, reply: Reply, _provider: string): ReplyReading {
  const meaning =
    reply.code < 300 ? 'accepted' : stage === 'rcpt' && reply.code >= 500 ? 'no_mailbox' : 'temporary';
  return { meaning, rule: 'stub', retryAfterMs: null };
}
