// The encodings of text files: found by byte-order mark or content, decoded, and written for what we add.

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const MARKS: readonly { readonly encoding: Encoding; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** Of the code units at their place, so many are NUL in UTF-16: separators, line ends, digits, addresses. */
const UTF16_SHARE = 0.1;
/** A stray NUL in the other place is forgiven up to here. */
const STRAY_SHARE = 0.01;

const ENCODER = new TextEncoder();

export function markLength(bytes: Uint8Array, encoding: Encoding): number {
  const mark = MARKS.find((each) => each.encoding === encoding && isAt(bytes, each.bytes));
  return mark?.bytes.length ?? 0;
}

/** `sample`: the first bytes of the file. */
export function findEncoding(sample: Uint8Array, isWhole: boolean): Encoding {
  const mark = MARKS.find(({ bytes }) => isAt(sample, bytes));
  if (mark) return mark.encoding;
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at += 1) if (sample[at] === 0) zeros[at % 2]! += 1;
  const units = Math.max(1, sample.length / 2);
  if (zeros[1]! / units > UTF16_SHARE && zeros[0]! / units < STRAY_SHARE) return 'utf-16le';
  if (zeros[0]! / units > UTF16_SHARE && zeros[1]! / units < STRAY_SHARE) return 'utf-16be';
  try {
    // A sample may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: !isWhole });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const OLDER = new TextDecoder('windows-1252');

export function createDecoder(encoding: Encoding): (bytes: Uint8Array) => string {
  const plain = new TextDecoder(encoding, { ignoreBOM: true });
  if (encoding !== 'utf-8') return (bytes) => plain.decode(bytes);
  return (bytes) => {
    try {
      return STRICT.decode(bytes);
    } catch {
      // One file out of two programs: the cell says more about itself than the file does.
      return OLDER.decode(bytes);
    }
  };
}

/** Of a cell, by which it is decoded. */
export function encodingOf(bytes: Uint8Array, encoding: Encoding): Encoding {
  if (encoding !== 'utf-8') return encoding;
  try {
    STRICT.decode(bytes);
    return encoding;
  } catch {
    return 'windows-1252';
  }
}

/** Each of its bytes is a character. */
const BYTES_1252: ReadonlyMap<string, number> = new Map(
  [...OLDER.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map((char, byte) => [char, byte]),
);
const QUESTION_MARK = 0x3f;

export function encode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return ENCODER.encode(text);
  if (encoding === 'windows-1252')
    return Uint8Array.from(text, (char) => BYTES_1252.get(char) ?? QUESTION_MARK);
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1)
    view.setUint16(at * 2, text.charCodeAt(at), encoding === 'utf-16le');
  return bytes;
}

function isAt(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}
