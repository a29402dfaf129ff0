// Signs that a recipient's reply, among commands that went out together, was meant for another command. Decides, touches
// nothing. Promise: a reply that only its own command can have caused is never called misplaced.

import type { Command } from '../../state/answer.ts';
import type { Reply } from '../../types.ts';
import type { Flight } from '../session/flight.ts';

const NO_MAIL_YET = 503;

/** For a recipient whose MAIL was accepted. */
export function isMisplaced(reply: Reply, command: Command, flight: Flight): boolean {
  return reply.code === NO_MAIL_YET || isMailReply(reply) || namesAnother(reply, command, flight);
}

/** `2.1.0` is what MAIL is answered with. */
function isMailReply(reply: Reply): boolean {
  return reply.code < 300 && reply.enhanced === '2.1.0' && /\bsender\b/i.test(reply.lines[0] ?? '');
}

/** A text in brackets that is longer than this is not a mailbox. */
const BRACKETED = /<([^<>\s]{3,320})>/g;

/** A refusal that names another recipient of the same flight has come to the wrong one. */
function namesAnother(reply: Reply, command: Command, flight: Flight): boolean {
  if (reply.code < 400 || flight.recipients < 2) return false;
  const first = reply.lines[0] ?? '';
  const own = command.task?.address.mailbox ?? '';
  if (!first.includes('@') || isBracketed(first, own)) return false;
  const named = firstNamed(first)?.toLowerCase();
  if (named === undefined || named === own.toLowerCase()) return false;
  return flight.commands.some((other) => other.task?.address.mailbox.toLowerCase() === named);
}

/** Most refusals name their own recipient: seen without putting a string together for each of them. */
function isBracketed(line: string, mailbox: string): boolean {
  const at = line.indexOf(mailbox);
  return line[at - 1] === '<' && line[at + mailbox.length] === '>';
}

/** The first mailbox in brackets. */
function firstNamed(line: string): string | undefined {
  for (const [, token = ''] of line.matchAll(BRACKETED)) {
    const at = token.indexOf('@', 1);
    if (at > 0 && at < token.length - 1) return token;
  }
  return undefined;
}
