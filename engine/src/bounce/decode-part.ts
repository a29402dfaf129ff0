// The lines of a part as they were sent → as they read: quoted-printable and base64 undone, in the part's character set.
// Pure. Promises: linear; what cannot be decoded stays as it is; never throws.

export interface PartCoding {
  /** `Content-Transfer-Encoding`. */
  readonly encoding: string;
  readonly charset: string;
}

export function decodePart(lines: readonly string[], { encoding, charset }: PartCoding): readonly string[] {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return linesOf(inCharset(base64Bytes(lines), charset));
    case 'quoted-printable':
      return linesOf(inCharset(quotedPrintableBytes(lines), charset));
    default:
      return lines;
  }
}

/** A bounce of the largest size has half as many. */
const MAX_LINES = 16_384;

export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/, MAX_LINES);
}

/** Latin-1 where the name is not known: every byte is then some character. */
function inCharset(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset === '' ? 'utf-8' : charset).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

const SIX_BITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((sign, at) => [sign, at]),
);

/** Whatever is not of the alphabet is passed over, as RFC 2045 asks. */
function base64Bytes(lines: readonly string[]): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let kept = 0;
  for (const line of lines) {
    for (const sign of line) {
      if (sign === '=') return Uint8Array.from(bytes);
      const six = SIX_BITS.get(sign);
      if (six === undefined) continue;
      kept = ((kept << 6) | six) & 0xffff;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      bytes.push((kept >> bits) & 0xff);
    }
  }
  return Uint8Array.from(bytes);
}

const encoder = new TextEncoder();

function quotedPrintableBytes(lines: readonly string[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const raw of lines) {
    const line = raw.trimEnd();
    const isSoft = line.endsWith('=');
    pieces.push(unquoted(isSoft ? line.slice(0, -1) : line));
    if (!isSoft) pieces.push(LINE_END);
  }
  return joined(pieces);
}

const LINE_END = Uint8Array.of(0x0a);

function unquoted(line: string): Uint8Array {
  if (!line.includes('=')) return encoder.encode(line);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { 0: found, index } of line.matchAll(/=[0-9A-Fa-f]{2}/g)) {
    if (index > from) pieces.push(encoder.encode(line.slice(from, index)));
    pieces.push(Uint8Array.of(Number.parseInt(found.slice(1), 16)));
    from = index + found.length;
  }
  pieces.push(encoder.encode(line.slice(from)));
  return joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
