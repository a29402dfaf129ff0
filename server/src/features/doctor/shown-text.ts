// What others wrote, as it may be shown. Promise: one line, bounded, without a character that moves a terminal's cursor or turns
// the direction of what follows.

const SHOWN_MAX_CHARS = 200;
/** Controls, format characters such as those of writing direction, and separators of lines. */
const NOT_SHOWN = /[\p{C}\p{Zl}\p{Zp}]+/gu;

export function shownText(text: string, maxChars = SHOWN_MAX_CHARS): string {
  // More is cut off before it is looked at, too.
  const line = text
    .slice(0, 4 * maxChars)
    .replace(NOT_SHOWN, ' ')
    .trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}
