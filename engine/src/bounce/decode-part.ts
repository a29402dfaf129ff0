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
const EQUALS = 0x3d;

/** A line that ends in `=` goes on in the next. */
function quotedPrintableBytes(lines: readonly string[]): Uint8Array {
  const text = lines
    .map((raw) => {
      const line = raw.trimEnd();
      return line.endsWith('=') ? line.slice(0, -1) : `${line}\n`;
    })
    .join('');
  const sent = encoder.encode(text);
  const bytes = new Uint8Array(sent.length);
  let length = 0;
  for (let at = 0; at < sent.length; at += 1) {
    const byte = sent[at] === EQUALS ? hexByte(sent[at + 1], sent[at + 2]) : -1;
    bytes[length] = byte < 0 ? (sent[at] ?? 0) : byte;
    length += 1;
    if (byte >= 0) at += 2;
  }
  return bytes.subarray(0, length);
}

/** -1: not two digits. */
function hexByte(high: number | undefined, low: number | undefined): number {
  const [upper, lower] = [hexDigit(high), hexDigit(low)];
  return upper < 0 || lower < 0 ? -1 : upper * 16 + lower;
}

function hexDigit(sign: number | undefined): number {
  return sign === undefined ? -1 : '0123456789abcdef'.indexOf(String.fromCharCode(sign).toLowerCase());
}
