// What recipients were answered, as a table. Pure.
import type { RecipientReply } from '@mxproof/client';
import { ACTIONS, actionFor } from '@mxproof/common/vocabulary/labels';
import { formatCount } from '../design/format.ts';
import { bounces } from '../messages/en-bounces.ts';

/** A reply with its recipient; empty: the text names no recipient. */
export interface NamedReply extends RecipientReply {
  readonly address: string;
}

export function titleOf({ position, address }: NamedReply): string {
  return address || bounces.recipient(formatCount(position + 1));
}

export function repliesTable(replies: readonly NamedReply[]): readonly (readonly string[])[] {
  const rows = replies.map((reply) => {
    const { position, address, explanation, advice, state, reason, detail, rule } = reply;
    const action = actionFor(reply);
    const todo = action === null ? '' : ACTIONS[action].title;
    return [String(position + 1), address, todo, explanation, advice, state, reason, detail, rule];
  });
  return [bounces.headings, ...rows];
}
