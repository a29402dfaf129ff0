// An alert as chats and push services take it. Promise: it says what the mail says; nothing in it is markup but the heading.
import type { AlertFormat } from '../../settings/alert-settings.ts';
import { type AlertMessage, alertMail } from './alert-message.ts';

export interface ChatMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Of ntfy, from 1 to 5; 3 is the usual one. */
const PRIORITY = { began: 4, continues: 3, resolved: 2, test: 3 } as const;

export function chatMessage(format: Exclude<AlertFormat, 'json'>, alert: AlertMessage): ChatMessage {
  const { subject, text } = alertMail(alert);
  switch (format) {
    case 'slack':
      return {
        headers: JSON_TYPE,
        text: JSON.stringify({ text: `*${escaped(subject)}*\n${escaped(text)}` }),
      };
    case 'mattermost':
      return { headers: JSON_TYPE, text: JSON.stringify({ text: `**${subject}**\n\n${text}` }) };
    case 'ntfy':
      return {
        headers: {
          'Content-Type': 'text/plain; charset=utf-8',
          Title: asHeader(subject),
          Priority: String(PRIORITY[alert.status]),
          Tags: alert.status === 'resolved' ? 'white_check_mark' : 'warning',
        },
        text,
      };
    default:
      return format satisfies never;
  }
}

/** Slack reads these three as the beginnings of links, mentions and entities. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** RFC 2047 where it is not plain: a header has no other letters, and no line ends. */
function asHeader(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}
