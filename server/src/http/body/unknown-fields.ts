// The fields of a body that its route does not know: most are a misspelling of one that it does (`callbackUrl`).
// Promise: whatever the names, what is shown fits into a header: a few names, each short, in printable ASCII.

const MAX_SHOWN_FIELDS = 5;
const MAX_SHOWN_CHARACTERS = 64;

/** In the order of the body; none of what is no object. */
export function unknownFields(body: unknown, known: readonly string[]): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const shown: string[] = [];
  for (const name of Object.keys(body)) {
    if (known.includes(name)) continue;
    shown.push(printable(name));
    if (shown.length === MAX_SHOWN_FIELDS) break;
  }
  return shown;
}

/** Cut, then escaped as in JSON, so that it stays clear which name it is. */
function printable(name: string): string {
  // Of a long name only the beginning is looked at: a character has two units at most.
  const [...characters] = name.slice(0, 2 * MAX_SHOWN_CHARACTERS);
  return characters
    .slice(0, MAX_SHOWN_CHARACTERS)
    .join('')
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
