// The general reply tables in the order in which they are read; the first row that matches decides. The order is the
// rule: a text about us, the rate, the owner's quota or a message overrides "no such user" in the same reply, and a
// named mailbox overrides vague words such as "policy" or "access denied".
import { BLOCK_ROWS, TLS_ROWS } from './patterns/about-us.ts';
import { BUSY_ROWS } from './patterns/busy.ts';
import { CLOSED_ROWS } from './patterns/closed.ts';
import { CONTENT_ROWS, MESSAGE_ROWS, VAGUE_CONTENT_ROWS } from './patterns/content.ts';
import { COUNTED_ROWS } from './patterns/counted-recipients.ts';
import type { GoneKind } from './patterns/gone-kinds.ts';
import { MAILBOX_ROWS } from './patterns/mailbox.ts';
import { MAILBOX_EAST_ROWS } from './patterns/mailbox-east.ts';
import { MAILBOX_EUROPE_ROWS } from './patterns/mailbox-europe.ts';
import { MAILBOX_FAR_EUROPE_ROWS } from './patterns/mailbox-far-europe.ts';
import { MAILBOX_LOOSE_ROWS } from './patterns/mailbox-loose.ts';
import { MAILBOX_LOOSE_LANGUAGE_ROWS } from './patterns/mailbox-loose-languages.ts';
import { NUMBERED_ROWS } from './patterns/numbered.ts';
import { PERMISSION_ROWS } from './patterns/permission.ts';
import { QUOTA_ROWS } from './patterns/quota.ts';
import { GREYLIST_ROWS, RATE_ROWS, TRANSACTION_ROWS } from './patterns/rate.ts';
import { RELAY_ROWS } from './patterns/relay.ts';
import { SENDER_ROWS } from './patterns/sender.ts';
import { TEMPORARY_ROWS } from './patterns/temporary.ts';
import { VAGUE_ROWS } from './patterns/vague.ts';
import type { ReplyRow } from './reply-row.ts';

export interface ReplyTopic {
  readonly name: string;
  readonly rows: readonly ReplyRow[];
  /** How a mailbox is gone in all of its rows that say so. */
  readonly gone?: GoneKind;
}

export const REPLY_TOPICS: readonly ReplyTopic[] = [
  { name: 'numbered', rows: NUMBERED_ROWS },
  { name: 'greylist', rows: GREYLIST_ROWS },
  { name: 'too many unknown recipients', rows: COUNTED_ROWS },
  { name: 'too many recipients', rows: TRANSACTION_ROWS },
  { name: 'what is in the message', rows: MESSAGE_ROWS },
  { name: 'permission', rows: PERMISSION_ROWS },
  { name: 'sender', rows: SENDER_ROWS },
  { name: 'closed mailbox', rows: CLOSED_ROWS, gone: 'mailbox_disabled' },
  { name: 'busy mailbox', rows: BUSY_ROWS },
  { name: 'rate', rows: RATE_ROWS },
  { name: 'block', rows: BLOCK_ROWS },
  { name: 'tls', rows: TLS_ROWS },
  { name: 'relay', rows: RELAY_ROWS },
  { name: 'quota', rows: QUOTA_ROWS },
  { name: 'content', rows: CONTENT_ROWS },
  { name: 'no mailbox', rows: MAILBOX_ROWS },
  { name: 'no mailbox, European languages', rows: MAILBOX_EUROPE_ROWS },
  { name: 'no mailbox, further European languages', rows: MAILBOX_FAR_EUROPE_ROWS },
  { name: 'no mailbox, eastern languages', rows: MAILBOX_EAST_ROWS },
  { name: 'temporary problem', rows: TEMPORARY_ROWS },
  { name: 'no mailbox, loosely worded', rows: MAILBOX_LOOSE_ROWS },
  { name: 'no mailbox, loosely worded in other languages', rows: MAILBOX_LOOSE_LANGUAGE_ROWS },
  { name: 'vague content', rows: VAGUE_CONTENT_ROWS },
  { name: 'vague', rows: VAGUE_ROWS },
];
