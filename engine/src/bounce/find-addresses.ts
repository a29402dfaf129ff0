// The addresses that a text names, as written but in lower case. For telling recipients apart, never for output.
// Pure, linear: each side of an @ is looked at within the bounds of an address.

const MAX_LOCAL_CHARS = 64;
const MAX_DOMAIN_CHARS = 255;
const isOutside = (sign: string) => /[\s<>()[\]:;,"'=@\\]/.test(sign);

/** At most `max` different ones, in their order. */
export function addressesIn(text: string, max: number): readonly string[] {
  const found = new Set<string>();
  for (let at = text.indexOf('@'); at >= 0 && found.size < max; at = text.indexOf('@', at + 1)) {
    const address = addressAround(text, at);
    if (address !== null) found.add(address);
  }
  return [...found];
}

function addressAround(text: string, at: number): string | null {
  let start = at;
  if (text[at - 1] === '"') {
    const quote = text.lastIndexOf('"', at - 2);
    start = quote >= 0 && at - quote <= MAX_LOCAL_CHARS ? quote : at;
  } else {
    while (start > 0 && at - start < MAX_LOCAL_CHARS && !isOutside(text[start - 1]!)) start -= 1;
  }
  let end = at + 1;
  while (end < text.length && end - at <= MAX_DOMAIN_CHARS && !isOutside(text[end]!)) end += 1;
  const domain = text.slice(at + 1, end).replace(/[.'!?]{1,5}$/, '');
  if (start === at || !/^[\p{L}\p{N}]/u.test(domain)) return null;
  return `${text.slice(start, at)}@${domain}`.toLowerCase();
}
