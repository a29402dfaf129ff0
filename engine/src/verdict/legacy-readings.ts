// Replies in the character sets of older servers. The reader gives bytes that are not UTF-8 as Latin-1; where
// many of its signs are beyond ASCII, the same bytes are read again in the sets that Russian, Japanese and
// Chinese servers used. Only asked when no wording decided.
import { MAX_MATCHED_CHARS } from './reply-words.ts';

const FEWEST_HIGH_SIGNS = 4;
const decoders = ['utf-8', 'windows-1251', 'koi8-r', 'shift_jis', 'euc-jp', 'gb18030'].map(
  (label) => new TextDecoder(label, { fatal: true }),
);

export function* legacyReadings(lines: readonly string[]): Generator<string> {
  const text = lines.join(' ').slice(0, MAX_MATCHED_CHARS);
  let high = 0;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) return;
    if (code > 0x7f) high++;
    bytes[i] = code;
  }
  if (high < FEWEST_HIGH_SIGNS) return;
  for (const decoder of decoders) {
    try {
      yield decoder.decode(bytes);
    } catch {
      // Not this set: the next one.
    }
  }
}
