// Addresses in lists as the service takes them. Promise: the same addresses give the same lists, in their order.

export const MAX_LIST_ADDRESSES = { live: 100_000, test: 10_000 } as const;
/** The service reads 64 MiB, and JSON takes at most six bytes a character. */
const MAX_LIST_CHARACTERS = 10_000_000;

export function splitAddresses(
  addresses: Iterable<string>,
  mode: keyof typeof MAX_LIST_ADDRESSES,
): string[][] {
  const parts: string[][] = [];
  let part: string[] = [];
  let characters = 0;
  for (const address of addresses) {
    characters += address.length;
    if (part.length === MAX_LIST_ADDRESSES[mode] || characters > MAX_LIST_CHARACTERS) {
      parts.push(part);
      part = [];
      characters = address.length;
    }
    part.push(address);
  }
  return part.length > 0 ? [...parts, part] : parts;
}
