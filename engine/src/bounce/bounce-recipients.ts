// The recipients that a pasted text tells of, by the positions of its reports (read-bounce.ts). For a page that has the text itself, since no
// answer of the service names an address. Pure, and in browsers too.
import { findReplies } from './find-replies.ts';

/** In lower case; empty: the text names none. */
export function bounceRecipients(text: string): readonly string[] {
  return findReplies(text).map((places) => places.find(({ recipient }) => recipient !== '')?.recipient ?? '');
}
