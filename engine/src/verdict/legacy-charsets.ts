// Replies in the character sets of older servers. The reader returns bytes that are not UTF-8 as Latin-1; if many
// characters are not ASCII, the same bytes are read again in the character sets that Russian, Japanese, Chinese and
// Korean servers used. Seven-bit Japanese looks like ASCII and is recognized by its shift sequences. Used only if no
// wording decided. Promises: bounded work (only the first MAX_READ_CHARS count), never throws.

/** Each reading goes through all the tables: what such a server has to say stands at the beginning. */
const MAX_READ_CHARS = 512;
const FEWEST_HIGH_SIGNS = 4;
/** UTF-8 cut in the middle of a letter, or with one byte lost, is still UTF-8. */
const MOST_LOST_LETTERS = 2;
const LOST = '\ufffd';

const decoders = [
  'utf-8',
  'windows-1251',
  'koi8-r',
  'ibm866',
  'iso-8859-5',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
].map((label) => new TextDecoder(label, { fatal: true }));
const cutUtf8 = new TextDecoder('utf-8');
const shiftedJapanese = new TextDecoder('iso-2022-jp');

/** `ESC $ B … ESC ( B`; the reader has made a blank of ESC. */
const SHIFTED = /[\x1b ]\$([@B])([\x21-\x7e]{2,1000})(?:[\x1b ]\(([BJ])|$)/g;

/** True where the reply carries seven-bit Japanese: words, though they look like none. */
export function hasShiftedText(lines: readonly string[]): boolean {
  return joined(lines).search(SHIFTED) >= 0;
}

export function* legacyReadings(lines: readonly string[]): Generator<string> {
  const text = joined(lines);
  if (text.includes('$')) {
    const shifted = text.replace(SHIFTED, (_all, set: string, pairs: string) =>
      shiftedJapanese.decode(asBytes(`\x1b$${set}${pairs}\x1b(B`) ?? new Uint8Array()),
    );
    if (shifted !== text) yield shifted;
  }
  const bytes = asBytes(text);
  if (bytes === null || bytes.reduce((high, byte) => (byte > 0x7f ? high + 1 : high), 0) < FEWEST_HIGH_SIGNS)
    return;
  for (const decoder of decoders) {
    try {
      yield decoder.decode(bytes);
    } catch {
      // Not this set: the next one.
    }
  }
  const cut = cutUtf8.decode(bytes);
  if (cut.split(LOST).length - 1 <= MOST_LOST_LETTERS) yield cut;
}

/** A blank in front, so that a shift at the very start is seen. */
function joined(lines: readonly string[]): string {
  return ` ${lines.join(' ')}`.slice(0, MAX_READ_CHARS);
}

/** The bytes that a Latin-1 reading came from; null if the text was not one. */
function asBytes(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) return null;
    bytes[i] = code;
  }
  return bytes;
}
