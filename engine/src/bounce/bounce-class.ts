// What a bounce's reply says about its recipient: the one word by which outcomes are counted. Pure.
// Promise: only a reply that says that there is no such mailbox is `bounced`; what the sending service calls a hard bounce is not asked.
import type { Meaning } from '../types.ts';
import { readAtStage } from '../verdict/read-at-stage.ts';
import { readNoReply } from './no-reply.ts';
import { saidIn, stageIn } from './said-in.ts';

/**
 * `bounced`: there is no such mailbox. `full`: there is one, and it is full. `blocked`: refused for its sender or its content.
 * `unclear`: says nothing certain about the mailbox.
 */
export type BounceClass = 'bounced' | 'full' | 'blocked' | 'unclear';

const CLASSES: Readonly<Partial<Record<Meaning, BounceClass>>> = {
  no_mailbox: 'bounced',
  over_quota: 'full',
  blocked: 'blocked',
  sender_refused: 'blocked',
  rate_limited: 'blocked',
  content: 'blocked',
};

/** The reader looks at less of a reply. */
const MAX_REPLY_CHARS = 4_096;

/** Where the reply does not name its command, it is taken for one after DATA: numbers alone say nothing there. */
export function bounceClass(reply: string, email: string): BounceClass {
  const text = reply.slice(0, MAX_REPLY_CHARS).trim();
  if (text === '') return 'unclear';
  const said = saidIn(text);
  // What the sending server says of itself: no connection, no such host, given up.
  if (said === null && readNoReply(text, false) !== null) return 'unclear';
  const { meaning } = readAtStage(stageIn(text) || 'data', said ?? text, '', email);
  return CLASSES[meaning] ?? 'unclear';
}
