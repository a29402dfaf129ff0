// Names in DNS messages: labels with their lengths, possibly ending in a pointer to an earlier name. Promise: whatever
// the bytes, reading ends within 255 octets and pointers only lead backwards; a name converts to text and back,
// whatever bytes its labels contain.
//
// A flat name here is one without pointers, in lower case, with the root's empty label at its end.

const NAME_MAX_BYTES = 255;
const LABEL_MAX_BYTES = 63;
/** `\DDD` for each octet. */
const TEXT_MAX_CHARS = 4 * NAME_MAX_BYTES;
/** As many as a name has labels; pointers to pointers would lead through a whole message otherwise. */
const POINTERS_MAX = 127;
const POINTER_MIN = 0xc0;
const DOT = 0x2e;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;

const flatScratch = Buffer.alloc(NAME_MAX_BYTES);
const textScratch = Buffer.alloc(TEXT_MAX_CHARS);

/** How many octets suffice for the name. */
export function nameMaxBytes(text: string): number {
  return text.length + 2;
}

/** Writes a flat name and tells where it ends; -1: no DNS name can be written like this. `` is the root. */
export function writeName(text: string, into: Uint8Array, start: number): number {
  let lengthAt = start;
  let at = start + 1;
  for (let i = 0; i < text.length; i += 1) {
    let code = text.charCodeAt(i);
    if (code === DOT) {
      if (!isLabelLength(at - lengthAt - 1)) return -1;
      into[lengthAt] = at - lengthAt - 1;
      lengthAt = at;
      at += 1;
      continue;
    }
    if (!isVisible(code)) return -1;
    if (code === BACKSLASH) {
      const isNumber = isDigit(text.charCodeAt(i + 1));
      code = isNumber ? escapedNumber(text, i + 1) : text.charCodeAt(i + 1);
      if (!(isNumber ? code <= 0xff : isVisible(code))) return -1;
      i += isNumber ? 3 : 1;
    }
    into[at] = lowerCase(code);
    at += 1;
  }
  const isRoot = text === '';
  if (!isRoot && !isLabelLength(at - lengthAt - 1)) return -1;
  into[lengthAt] = at - lengthAt - 1;
  if (!isRoot) into[at] = 0;
  const end = isRoot ? at : at + 1;
  return end - start > NAME_MAX_BYTES ? -1 : end;
}

/** Where the name at `at` ends in place, its pointer included; -1: it is none. Pointers are not followed. */
export function skipName(message: Uint8Array, at: number): number {
  const last = at + NAME_MAX_BYTES;
  let here = at;
  while (here < last) {
    const length = message[here];
    if (length === undefined) return -1;
    if (length === 0) return here + 1;
    if (length >= POINTER_MIN) return here + 2;
    if (length > LABEL_MAX_BYTES) return -1;
    here += length + 1;
  }
  return -1;
}

/** Null: malformed. */
export function readFlatName(message: Uint8Array, at: number): Buffer | null {
  const length = flatten(message, at);
  return length < 0 ? null : Buffer.from(flatScratch.subarray(0, length));
}

/** As text without a trailing dot, the root as ``; null: malformed. */
export function readNameText(message: Uint8Array, at: number): string | null {
  const length = flatten(message, at);
  if (length < 0) return null;
  let chars = 0;
  let here = 0;
  while (here < length - 1) {
    if (here > 0) textScratch[chars++] = DOT;
    const end = here + 1 + flatScratch[here]!;
    for (here += 1; here < end; here += 1) {
      const octet = flatScratch[here]!;
      if (octet === DOT || octet === BACKSLASH) textScratch[chars++] = BACKSLASH;
      else if (!isVisible(octet)) {
        textScratch[chars++] = BACKSLASH;
        textScratch[chars++] = ZERO + Math.trunc(octet / 100);
        textScratch[chars++] = ZERO + (Math.trunc(octet / 10) % 10);
        textScratch[chars++] = ZERO + (octet % 10);
        continue;
      }
      textScratch[chars++] = octet;
    }
  }
  return textScratch.toString('latin1', 0, chars);
}

/** Whether the name at `at` is the one that lies flat at `flatAt`, in any case and however compressed. */
export function isNameAt(message: Uint8Array, at: number, flat: Uint8Array, flatAt: number): boolean {
  let here = at;
  let runStart = at;
  let seen = flatAt;
  let pointers = 0;
  while (seen < flat.length) {
    const length = message[here];
    if (length === undefined) return false;
    if (length >= POINTER_MIN) {
      here = pointer(message, here);
      pointers += 1;
      if (here < 0 || here >= runStart || pointers > POINTERS_MAX) return false;
      runStart = here;
      continue;
    }
    if (length !== flat[seen]) return false;
    for (let i = 1; i <= length; i += 1) {
      if (lowerCase(message[here + i] ?? 0) !== flat[seen + i]) return false;
    }
    if (length === 0) return true;
    here += length + 1;
    seen += length + 1;
  }
  return false;
}

/** Writes the name at `at` to `flatScratch`, and tells its length; -1: malformed. */
function flatten(message: Uint8Array, at: number): number {
  let here = at;
  let runStart = at;
  let size = 0;
  let pointers = 0;
  for (;;) {
    const length = message[here];
    if (length === undefined) return -1;
    if (length >= POINTER_MIN) {
      here = pointer(message, here);
      // Strictly backwards, or a circle of them would never end.
      pointers += 1;
      if (here < 0 || here >= runStart || pointers > POINTERS_MAX) return -1;
      runStart = here;
      continue;
    }
    if (length > LABEL_MAX_BYTES || size + length + 1 > NAME_MAX_BYTES) return -1;
    if (here + length >= message.length) return -1;
    flatScratch[size] = length;
    for (let i = 1; i <= length; i += 1) flatScratch[size + i] = lowerCase(message[here + i]!);
    size += length + 1;
    if (length === 0) return size;
    here += length + 1;
  }
}

function pointer(message: Uint8Array, at: number): number {
  const low = message[at + 1];
  return low === undefined ? -1 : ((message[at]! & 0x3f) << 8) | low;
}

function escapedNumber(text: string, at: number): number {
  const digits = text.slice(at, at + 3);
  return /^\d{3}$/.test(digits) ? Number(digits) : Number.POSITIVE_INFINITY;
}

function isLabelLength(length: number): boolean {
  return length > 0 && length <= LABEL_MAX_BYTES;
}

function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function lowerCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}
