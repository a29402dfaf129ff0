// What a request names and its route does not know, a field of the body or a query parameter: most are a misspelling of one
// that it does (`callbackUrl`, `undu`).
// Promise: whatever the names, what is shown fits into a header: a few names, each short, in printable ASCII.

const MAX_SHOWN_NAMES = 5;
const MAX_SHOWN_CHARACTERS = 64;

/** In the order of the request. `within`: the object that they are in, and a dot. */
export function unknownNames(given: readonly string[], known: readonly string[], within = ''): string[] {
  const shown: string[] = [];
  for (const name of given) {
    if (known.includes(name)) continue;
    shown.push(printable(`${within}${name}`));
    if (shown.length === MAX_SHOWN_NAMES) break;
  }
  return shown;
}

/** Of several objects. */
export function firstNames(names: readonly string[]): string[] {
  return names.slice(0, MAX_SHOWN_NAMES);
}

/** Of a body: what is not an object has no fields. */
export function fieldsOf(body: unknown): string[] {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : [];
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
