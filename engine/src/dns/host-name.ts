// Which names from DNS may be a mail host's. Promise: nothing that ends in a table, a log or a spreadsheet says more
// there than a host's name: letters, digits, hyphens, underscores and dots, no label beginning with a hyphen.

/** As DNS gave it, lower case; underscores stand in real ones. */
const HOST_NAME = /^[a-z0-9_][a-z0-9_-]{0,62}(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/;
const HOST_NAME_MAX_CHARS = 253;

export function isHostName(name: string): boolean {
  return name.length <= HOST_NAME_MAX_CHARS && HOST_NAME.test(name);
}
