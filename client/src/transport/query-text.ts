// The query of a request. Promise: what is undefined is not sent, and what is empty is not taken for it: a filter that matches
// nothing must not return everything.

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** @throws TypeError where a parameter is given and empty */
export function queryText(query: Query = {}): string {
  // URLSearchParams encodes every string; encodeURIComponent throws on a lone surrogate.
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const parts = [value].flat();
    // An array writes null and undefined as nothing.
    if (parts.length === 0 || parts.some((part) => String([part]) === ''))
      throw new TypeError(`${name} is empty: give it a value, or leave it out.`);
    pairs.set(name, String(value));
  }
  const text = String(pairs);
  return text === '' ? '' : `?${text}`;
}
