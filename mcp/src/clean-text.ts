// Text that others wrote, on its way to a model or a log: names of lists, addresses, what mail servers and DNS said.
// Promise: bounded, on one line, and without what hides text, turns its direction or moves a cursor.

/** Controls, formats (zero-width, bidirectional, tags), lone surrogates, private use, line and paragraph separators. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Variation_Selector}]+/gu;
const MAX_CHARACTERS = 1_000;

export function cleanText(text: string, max = MAX_CHARACTERS): string {
  // Cut first: what comes from outside may be long, and the cut may halve a character.
  const clean = text.slice(0, max).replace(HIDDEN, ' ').trim();
  return text.length > max ? `${clean}…` : clean;
}
